"""What authors of cases need: sentences of their own, and checks without a fleet."""
