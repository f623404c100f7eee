import { parse as german } from 'chrono-node/de';
import { parse as english } from 'chrono-node/en';
import { parse as spanish } from 'chrono-node/es';
import { parse as french } from 'chrono-node/fr';
import { parse as chinese } from 'chrono-node/zh';

/** The parsers of the five languages. */
export const parsers = [english, german, spanish, french, chinese] as const;
