import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** Context available to all components. */
interface PageContext {
  readonly base: string;
  /** Whether links to pages work; not in views rendered by a host. */
  readonly hasPages: boolean;
  readonly formToken: string;
  readonly isSelling: boolean;
  /** Path prefix of record pages: the console's, or empty for public pages. */
  readonly recordsAt: string;
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
