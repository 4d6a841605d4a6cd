"""What all print-outs share: page geometry, fonts, icons, QR codes, templates."""
