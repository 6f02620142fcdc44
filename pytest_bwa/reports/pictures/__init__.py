"""Copies of pictures for people: framed with what they show, or marked where values were seen."""
