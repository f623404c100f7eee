/**
 * Loaded before a program of a test run that is searched for secrets: what it writes is kept in a file as well, which is
 * named by its command.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.env['KEPT_RUN'];
// A child must not be told of it twice, and a program is refused no variable that it does not know.
const words = process.argv.slice(2, 4).filter((word) => /^[a-z]+$/.test(word));
const file = join(folder, `written-${words.join('-')}-${process.pid}.log`);
for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write.bind(stream);
  stream.write = (chunk, ...rest) => {
    appendFileSync(file, chunk);
    return write(chunk, ...rest);
  };
}
