import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** What links and forms of a page need to know. */
interface PageContext {
  readonly base: string;
  readonly formToken: string;
}

const Context = createContext<PageContext>({ base: '', formToken: '' });

export const PageContextProvider = Context.Provider;
export const usePage = (): PageContext => useContext(Context);
