interface Given {
  readonly redirectUrl: string;
  /** A registered client and its authorization server. */
  readonly client?:
    | { readonly client_id: string; readonly client_secret?: string; readonly issuer?: string }
    | undefined;
  /** Address of the client's metadata document. */
  readonly document?: string | undefined;
}

/** The host's part of the SDK: storage, and redirects of the person. */
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
    // The authorization server of a resource may change.
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
