/** Whether this is `npm run test:long`, with more kills and random inputs. */
export const isLong = process.env['TEST_LENGTH'] === 'long';
