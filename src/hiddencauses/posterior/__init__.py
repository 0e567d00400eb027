"""What the draws of a run tell: aligned causes, diagnosis, summaries, predictions."""
