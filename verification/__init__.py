"""Long checks, run before an issue is closed; what they measured is recorded beside them."""
