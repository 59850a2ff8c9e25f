import path from 'node:path';
import { readProcessSettings } from '@autoposter/config';
import { Program } from './program';

export interface Published {
  mediaId: string;
  containerId: string;
  caption: string | null;
  mediaProductType: string;
}

export interface Ledger {
  publishCalls: number;
  containersMade: number;
  published: Published[];
}

export interface SimulatedPost {
  id: string;
  key: string | null;
  title: string;
  permalink: string;
}

interface Ready {
  urls: Record<string, string>;
  credentials: Record<string, string>;
  controlUrl: string;
}

/** The control door of the simulators: what has gone out, what is to go wrong, what is posted. */
export class SimulatedWorld {
  constructor(private readonly control: string) {}

  ledger(): Promise<Ledger> {
    return this.ask('GET', '/control/ledger');
  }

  async post(key: string): Promise<SimulatedPost> {
    const post = (await this.ask<SimulatedPost[]>('GET', '/control/posts')).find((one) => one.key === key);
    if (post === undefined) throw new Error(`the simulated Reddit has no post "${key}"`);
    return post;
  }

  /** A community with this one post. */
  async publishOn(subreddit: string, post: object): Promise<SimulatedPost> {
    await this.ask('POST', '/control/subreddits', { name: subreddit });
    const { posts } = await this.ask<{ posts: SimulatedPost[] }>('POST', '/control/posts', { subreddit, posts: [post] });
    return posts[0] as SimulatedPost;
  }

  async change(settings: Record<string, Record<string, unknown>>): Promise<void> {
    await this.ask('POST', '/control/settings', settings);
  }

  /** What goes wrong by the name of a preset, or described. */
  async fault(fault: string | object): Promise<void> {
    if (typeof fault === 'string') await this.ask('POST', `/control/presets/${fault}`);
    else await this.ask('POST', '/control/faults', fault);
  }

  async noFaults(): Promise<void> {
    await this.ask('DELETE', '/control/faults');
  }

  private async ask<T>(method: string, place: string, body?: unknown): Promise<T> {
    const answer = await fetch(this.control + place, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${place}: ${answer.status} ${text.slice(0, 300)}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  }
}

export interface RunningSimulators {
  world: SimulatedWorld;
  /** What the services have to be told about them. */
  env: Record<string, string>;
  program: Program;
}

export async function startSimulators(dataDir: string): Promise<RunningSimulators> {
  const { path: PATH, ffmpegPath, ffprobePath } = readProcessSettings();
  const program = Program.start('tools/simulators', {
    args: ['--data-dir', path.join(dataDir, 'simulators'), '--ffmpeg', ffmpegPath, '--ffprobe', ffprobePath],
    env: { PATH },
  });
  const [line] = await program.says(/^\{"ready":true.*\}$/mu);
  const { urls, credentials, controlUrl } = JSON.parse(line) as Ready;
  return {
    program,
    world: new SimulatedWorld(controlUrl),
    env: { ...urls, ...credentials, DOWNLOAD_EXTRA_ORIGINS: urls.MEDIA_ORIGIN ?? '' },
  };
}
