import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** What parts of a page need to know wherever they stand. */
interface PageContext {
  readonly base: string;
  /** Whether there are pages of ours to go to: there are none where a host draws the answer of a tool. */
  readonly hasPages: boolean;
  readonly formToken: string;
  readonly isSelling: boolean;
  /** Path before `/TYPE/SLUG` of a page about a record: the console's, or nothing for public pages. */
  readonly recordsAt: string;
  /** Path of the search in that part. */
  readonly searchAt: string;
}

const Context = createContext<PageContext>({
  base: '',
  hasPages: false,
  formToken: '',
  isSelling: false,
  recordsAt: '',
  searchAt: '/search',
});

export const PageContextProvider = Context.Provider;
export const usePage = (): PageContext => useContext(Context);
