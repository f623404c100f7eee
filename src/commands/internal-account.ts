/** The account that the embedded service makes for itself. It is not shown among those of customers. */
export const INTERNAL_ACCOUNT = 'embedded';

export const isInternal = ({ account }: { readonly account: string }): boolean => account === INTERNAL_ACCOUNT;
