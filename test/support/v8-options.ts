/** Options of V8 for processes of the tests, which end before what they leave out has paid. */
export const V8_OPTIONS: readonly string[] = [
  // Garbage is collected less often, and not by threads of which each process has as many as there are cores.
  ...['--min-semi-space-size=32', '--max-semi-space-size=64', '--single-threaded-gc'],
  // Most of what runs often in a test ends before optimized code pays. Newer versions of V8 have no such option.
  ...(Number.parseInt(process.versions.node, 10) < 22 ? ['--interrupt-budget=1000000'] : []),
];
