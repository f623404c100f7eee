/** Whether this is `npm run test:long`, whose loops of kills and random inputs go on for longer. */
export const isLong = process.env['TEST_LENGTH'] === 'long';
