"""Fitting the advice: games of the policy against itself, and weights from them."""
