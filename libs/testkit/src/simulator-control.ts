/** A media published on the simulated Instagram. */
export interface PublishedMedia {
  mediaId: string;
  containerId: string;
  /** The account's Instagram user id. */
  accountId: string;
  caption: string | null;
  mediaProductType: string;
  permalink?: string;
  /** Parameters that change how it appears, as they were sent. */
  options: Record<string, string>;
  comments: string[];
}

interface Ledger {
  publishCalls: number;
  /** Publish calls by container. */
  callsOf: Record<string, number>;
  containersMade: number;
  published: PublishedMedia[];
}

export interface SimulatedPost {
  id: string;
  key: string | null;
  title: string;
  permalink: string;
  /** Addresses of its files, if it is an image post. */
  pictures: string[];
}

/** Client of the simulators' control API (`/control/…`): published media, faults, settings and posts. */
export class SimulatorControl {
  constructor(private readonly url: string) {}

  ledger(): Promise<Ledger> {
    return this.request('GET', '/control/ledger');
  }

  async published(): Promise<PublishedMedia[]> {
    return (await this.ledger()).published;
  }

  async post(key: string): Promise<SimulatedPost> {
    const post = (await this.request<SimulatedPost[]>('GET', '/control/posts')).find((one) => one.key === key);
    if (post === undefined) throw new Error(`the simulated Reddit has no post "${key}"`);
    return post;
  }

  /** Creates a subreddit with this single post. */
  async addPost(subreddit: string, post: object): Promise<SimulatedPost> {
    await this.request('POST', '/control/subreddits', { name: subreddit });
    const { posts } = await this.request<{ posts: SimulatedPost[] }>('POST', '/control/posts', { subreddit, posts: [post] });
    return posts[0] as SimulatedPost;
  }

  async changeSettings(settings: Record<string, Record<string, unknown>>): Promise<void> {
    await this.request('POST', '/control/settings', settings);
  }

  /** Activates a preset by name, or a fault. */
  async addFault(fault: string | object): Promise<void> {
    if (typeof fault === 'string') await this.request('POST', `/control/presets/${fault}`);
    else await this.request('POST', '/control/faults', fault);
  }

  async clearFaults(): Promise<void> {
    await this.request('DELETE', '/control/faults');
  }

  private async request<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(this.url + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  }
}
