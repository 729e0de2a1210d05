"""Phones, emulators and what else an Appium server drives."""
