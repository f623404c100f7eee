import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** What parts of a page need to know wherever they stand. */
interface PageContext {
  readonly base: string;
  readonly formToken: string;
  readonly isSelling: boolean;
}

const Context = createContext<PageContext>({ base: '', formToken: '', isSelling: false });

export const PageContextProvider = Context.Provider;
export const usePage = (): PageContext => useContext(Context);
