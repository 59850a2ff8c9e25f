/** A post on the simulated Instagram. */
export interface Published {
  mediaId: string;
  caption: string | null;
  mediaProductType: string;
}

interface Post {
  id: string;
  key: string | null;
  title: string;
  permalink: string;
}

/** Reads the simulators through their control API. */
export class SimulatedWorld {
  constructor(private readonly control: string) {}

  async published(): Promise<Published[]> {
    return ((await this.get('/control/ledger')) as { published: Published[] }).published;
  }

  /** The post with this key, in any subreddit. */
  async post(key: string): Promise<Post> {
    const post = ((await this.get('/control/posts')) as Post[]).find((one) => one.key === key);
    if (post === undefined) throw new Error(`The simulated Reddit has no post "${key}".`);
    return post;
  }

  private async get(path: string): Promise<unknown> {
    const response = await fetch(this.control + path);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }
}
