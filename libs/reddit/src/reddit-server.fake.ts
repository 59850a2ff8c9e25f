import { HttpServerFake, respond, type Handler, type SeenRequest } from '@autoposter/resilience';

const TOKEN_PATH = '/api/v1/access_token';

/** Hands out tokens `token1`, `token2`, … unless `token` is replaced, and answers everything else by the handler of the moment. */
export class RedditServerFake extends HttpServerFake {
  private tokens = 0;
  private readonly firstToken: Handler = (_request, response) =>
    respond(response, 200, { access_token: `token${++this.tokens}`, token_type: 'bearer', expires_in: 86_400, scope: '*' });
  token = this.firstToken;

  override reset(): void {
    super.reset();
    this.tokens = 0;
    this.token = this.firstToken;
  }

  /** Requests to the API and the www origin, without those for tokens. */
  get calls(): SeenRequest[] {
    return this.seen.filter((seen) => seen.path !== TOKEN_PATH);
  }

  protected override handlerOf({ path }: SeenRequest): Handler {
    return path === TOKEN_PATH ? this.token : this.handler;
  }
}

export const listingOf = (...posts: unknown[]) => ({
  kind: 'Listing',
  data: { after: null, before: null, dist: posts.length, children: posts.map((data) => ({ kind: 't3', data })) },
});
