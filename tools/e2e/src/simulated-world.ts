/** One reel or image that the simulated Instagram has published. */
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

/** What stands outside the product, asked through the simulators' control door. */
export class SimulatedWorld {
  constructor(private readonly control: string) {}

  async published(): Promise<Published[]> {
    return ((await this.get('/control/ledger')) as { published: Published[] }).published;
  }

  /** The post with this handle, whatever subreddit it is in. */
  async post(key: string): Promise<Post> {
    const post = ((await this.get('/control/posts')) as Post[]).find((one) => one.key === key);
    if (post === undefined) throw new Error(`The simulated Reddit has no post "${key}".`);
    return post;
  }

  private async get(path: string): Promise<unknown> {
    const answer = await fetch(this.control + path);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }
}
