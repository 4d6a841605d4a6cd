"""Corner markers and the calibration card."""
