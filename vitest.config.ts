/** The lanes are folders of test/; a lane is chosen by its path. Real processes and files: few workers, and deadlines that a busy machine keeps. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // The cheats are small repositories of their own, with tests that are not ours to run.
    exclude: ["**/node_modules/**", "test/fixtures/cheats/**"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    passWithNoTests: true,
  },
});
