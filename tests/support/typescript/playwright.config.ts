import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'tests',
  workers: 1,
  reporter: 'list',
  use: { launchOptions: { executablePath: process.env.BROWSER_EXECUTABLE } },
});
