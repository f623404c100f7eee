import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInTerminal } from '../support/program.ts';

/** Runs the demo in a terminal and draws what it showed as a small SVG that plays it, for the README. */

const FILE = join(import.meta.dirname, '..', '..', 'docs', 'demo.svg');
const COLUMNS = 100;
const ROWS = 27;
const CHARACTER_WIDTH = 7.8;
const LINE_HEIGHT = 17;
/** What of a letter is below its line. */
const DESCENT = 5;
const MARGIN = 14;
/** Duration of a step: a base, a time per line, and more for the last one. */
const STEP_SECONDS = 1.2;
const LINE_SECONDS = 0.28;
const END_SECONDS = 5;

/** The classes of SGR codes. What ends a style ends all of them. */
const CLASSES: Readonly<Record<string, string>> = { 1: 'b', 2: 'd', 32: 'g', 36: 'c' };

/** A line of the terminal with its colours. */
function drawn(line: string, row: number): string {
  const on = new Set<string>();
  let column = 0;
  let spans = '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
  for (const [, code, text = ''] of line.matchAll(/\u001b\[(\d+)m|([^\u001b]+)/g)) {
    const name = CLASSES[code ?? ''];
    if (name !== undefined) on.add(name);
    else if (code !== undefined) on.clear();
    else {
      const style = on.size === 0 ? '' : ` class="${[...on].join(' ')}"`;
      spans += `<tspan x="${(column * CHARACTER_WIDTH).toFixed(1)}"${style}>${escaped(text)}</tspan>`;
      column += text.length;
    }
  }
  return spans === '' ? '' : `<text y="${(row + 1) * LINE_HEIGHT - DESCENT}">${spans}</text>`;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** When each step begins, in seconds, and how many lines are shown by then. */
function framesOf(lines: readonly string[]): { frames: { at: number; end: number }[]; total: number } {
  const ends = [...lines.flatMap((line, row) => (line === '' ? [row] : [])), lines.length];
  let total = 0;
  const frames = ends.map((end, place) => {
    const at = total;
    total += STEP_SECONDS + (end - (ends[place - 1] ?? 0)) * LINE_SECONDS;
    return { at, end };
  });
  return { frames, total: total + END_SECONDS };
}

function svgOf(lines: readonly string[]): string {
  const { frames, total } = framesOf(lines);
  const keyframes = (name: string, shift: (end: number) => number): string => {
    const steps = frames.map(
      ({ at, end }) => `${((at / total) * 100).toFixed(2)}%{transform:translateY(${shift(end) * LINE_HEIGHT}px)}`,
    );
    return `#${name}{animation:${name} ${total.toFixed(1)}s steps(1) infinite}@keyframes ${name}{${steps.join('')}}`;
  };
  const [width, height] = [Math.round(COLUMNS * CHARACTER_WIDTH), ROWS * LINE_HEIGHT];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width + 2 * MARGIN} ${height + 2 * MARGIN}" role="img" aria-labelledby="t">
<title id="t">web3-bi demo: a corrected typo, a sentence, a record with its relations, totals, a connection and a paid search</title>
<style>
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#d6dce5;white-space:pre}
.b{font-weight:700}.d{fill:#7c8797}.g{fill:#7ee0a1}.c{fill:#6cc7f5}
${keyframes('scrolled', (end) => -Math.max(0, end - ROWS))}
${keyframes('hidden', (end) => end)}
@media (prefers-reduced-motion:reduce){#scrolled{animation:none}#hidden{display:none}}
</style>
<rect width="100%" height="100%" rx="10" fill="#10151d"/>
<clipPath id="screen"><rect width="${width}" height="${height}"/></clipPath>
<g transform="translate(${MARGIN} ${MARGIN})" clip-path="url(#screen)">
<g id="scrolled">
${lines.map(drawn).filter(Boolean).join('\n')}
<rect id="hidden" width="100%" height="${lines.length * LINE_HEIGHT}" fill="#10151d"/>
</g>
</g>
</svg>
`;
}

const { code, stdout } = await runInTerminal(['demo'], {}, '', COLUMNS);
if (code !== 0) throw new Error(`The demo ended with ${code}:\n${stdout}`);
writeFileSync(FILE, svgOf(stdout.trim().split('\n')));
console.log(FILE);
