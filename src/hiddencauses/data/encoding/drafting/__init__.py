"""Draft an encoding from what is seen in a raw table."""

from hiddencauses.data.encoding.drafting.draft import draft_encoding

__all__ = ["draft_encoding"]
