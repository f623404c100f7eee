interface Given {
  readonly redirectUrl: string;
  /** A client that is registered already, and with whom. */
  readonly client?:
    | { readonly client_id: string; readonly client_secret?: string; readonly issuer?: string }
    | undefined;
  /** Address of the client's metadata document. */
  readonly document?: string | undefined;
}

/** What the SDK asks of a host: to keep what it is given, and to send the person to a page. */
export class Provider {
  readonly clientMetadataUrl: string | undefined;
  readonly clientMetadata;
  readonly redirectUrl: string;
  asked: URL | undefined;
  #client: Given['client'];
  #tokens: unknown;
  #verifier = '';
  #discovery: unknown;

  constructor({ redirectUrl, client, document }: Given) {
    this.#client = client;
    this.redirectUrl = redirectUrl;
    this.clientMetadataUrl = document;
    this.clientMetadata = { client_name: 'Agent', redirect_uris: [redirectUrl] };
  }
  state = () => 'state-1';
  clientInformation = () => this.#client;
  saveClientInformation(client: NonNullable<Given['client']>): void {
    this.#client = client;
  }
  tokens = () => this.#tokens;
  saveTokens(tokens: unknown): void {
    this.#tokens = tokens;
    // A resource may have another authorization server the next time.
    this.#discovery = undefined;
  }
  redirectToAuthorization(url: URL): void {
    this.asked = url;
  }
  codeVerifier = () => this.#verifier;
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  discoveryState = () => this.#discovery;
  saveDiscoveryState(discovery: unknown): void {
    this.#discovery = discovery;
  }
}
