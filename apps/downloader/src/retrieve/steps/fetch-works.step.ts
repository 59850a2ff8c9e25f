import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ClaimedWork,
  FETCH_WORK_STAGE,
  filesOfWork,
  MAX_WORK_FILES,
  type Platform,
  STAGE_ATTEMPTS,
  type WorkFile,
} from '@autoposter/contracts';
import { type Failure, FAILURE_POLICY, failureOf, failureOfFile, parseSourceUrl, PipelineError, type SourcePost } from '@autoposter/domain';
import { defineStep, done, type StepContext } from '@autoposter/job-engine';
import type { MediaTools } from '@autoposter/media-tools';
import type { StoredObject } from '@autoposter/object-store';
import type { ResolveTools } from '../../download/steps/resolve-source.step';
import type { StoreTools } from '../../download/steps/store-original.step';
import { isMediaHost } from '../../fetching/address-rules';
import type { MediaFetcher } from '../../fetching/media-fetcher';
import { fetchFiles, joinSounds, probeFiles, storeFile } from '../../fetching/source-files';
import { notConfigured, removedAtSource } from '../../fetching/unusable-source';

export interface RetrieveInput {
  claimId: string;
  work: ClaimedWork;
}

/** Why an address gave no file, or not this file of a gallery. */
export interface MissedWork {
  url: string;
  failure: Failure;
}

/** What the addresses gave. */
export interface Retrieved {
  files: WorkFile[];
  missed: MissedWork[];
}

export interface RetrieveTools extends Pick<ResolveTools, 'sources'>, Pick<StoreTools, 'objects'> {
  fetcher: MediaFetcher;
  /** Fetches from any public host. */
  workFetcher: MediaFetcher;
  media: MediaTools;
}

/** The checkpoint, by address: the files of the address and the missed files of its gallery, or why it has none. */
type AtAddress = { files: WorkFile[]; missed?: Failure[] } | { failure: Failure };

/** Hosts that send byte by byte must not use up the time of the attempt, after which nothing of it would count. */
const LIMITS_MS = { address: 4 * 60_000, allAddresses: 15 * 60_000 };

/**
 * Fetches the files behind each address of the work. An address that gives none, or a gallery that gives not all, does not keep the others
 * from being used: the attempt is repeated only while nothing was found, or while another attempt may find more.
 */
export const fetchWorks = defineStep<RetrieveInput, Retrieved, RetrieveTools>({
  name: 'fetch-works',
  effect: 'idempotent',
  async run({ work }, tools, context) {
    const found = new Map(Object.entries((context.checkpoint ?? {}) as Record<string, AtAddress>));
    const count = (): number => filesOfWork(work).length + filesIn(found.values()).length;
    const later = new Map<string, Failure>();
    const overdue = AbortSignal.timeout(LIMITS_MS.allAddresses);
    const fetchAt = async (url: string): Promise<AtAddress> => {
      if (overdue.aborted) return { failure: timedOut(LIMITS_MS.allAddresses) };
      if (count() >= MAX_WORK_FILES) return { failure: failureOf('work_has_enough_files', { fields: { limit: MAX_WORK_FILES } }) };
      return filesAt(url, tools, context);
    };
    for (const url of new Set(work.urls?.filter((one) => !found.has(one)))) {
      const at = await fetchAt(url);
      found.set(url, at);
      const passing = missedAt(at).find(({ kind }) => FAILURE_POLICY[kind] !== 'never');
      if (passing !== undefined) later.set(url, passing);
      await context.saveCheckpoint(Object.fromEntries([...found].filter(([each]) => !later.has(each))));
    }
    const again = [...later.values()].find((failure) => count() === 0 || mayFindMore(failure, context));
    if (again !== undefined) throw new PipelineError(again);
    const missed = [...found].flatMap(([url, at]) => missedAt(at).map((failure) => ({ url, failure })));
    return done({ files: filesIn(found.values()), missed });
  },
});

const missedAt = (at: AtAddress): readonly Failure[] => ('failure' in at ? [at.failure] : (at.missed ?? []));

const filesIn = (found: Iterable<AtAddress>): WorkFile[] => [...found].flatMap((at) => ('files' in at ? at.files : []));

const timedOut = (milliseconds: number): Failure => failureOf('timed_out', { fields: { seconds: milliseconds / 1000 } });

/** A busy host may want a pause of hours, for which the files that are here must not wait. */
const mayFindMore = (failure: Failure, { attempt }: StepContext): boolean =>
  FAILURE_POLICY[failure.kind] !== 'wait' && attempt < STAGE_ATTEMPTS[FETCH_WORK_STAGE];

async function filesAt(url: string, tools: RetrieveTools, context: StepContext): Promise<AtAddress> {
  const workFolder = join(context.workFolder, 'work');
  await mkdir(workFolder);
  const limit = AbortSignal.timeout(LIMITS_MS.address);
  const within = { ...context, workFolder, signal: AbortSignal.any([context.signal, limit]) };
  /** Why an address or a file failed; rethrows what says nothing about it. */
  const reasonOf = (error: unknown): Failure => {
    if (context.signal.aborted) throw error;
    if (limit.aborted) return timedOut(LIMITS_MS.address);
    if (error instanceof PipelineError) return error.failure;
    throw error;
  };
  try {
    const address = parseSourceUrl(url);
    // the host of a picture needs no API
    if (address === null || address.kind === 'image') return { files: [await fileAt(url, tools, within)] };
    const post = await postAt(address.platform, url, tools, within);
    return await filesOfPost(post, tools, within, reasonOf);
  } catch (error) {
    return { failure: reasonOf(error) };
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}

async function fileAt(url: string, { workFetcher, media, objects }: RetrieveTools, { workFolder, signal }: StepContext): Promise<WorkFile> {
  const file = join(workFolder, 'file');
  try {
    await workFetcher.toFile(url, file, signal);
    const sound = await media.soundFormat(file);
    if (sound !== null) return workFile(await storeFile(objects, file, { container: sound }), 'video');
    await media.assertComplete(file, signal);
  } catch (error) {
    throw error instanceof PipelineError && !isMediaHost(new URL(url).hostname) ? ofOtherHost(error) : error;
  }
  const info = await media.probe(file, signal);
  return workFile(await storeFile(objects, file, info), info.kind);
}

/** The person who gave the address has to act, and a page stays a page. */
const ofOtherHost = (error: PipelineError): PipelineError =>
  error.failure.code === 'media_host_sent_page'
    ? new PipelineError(failureOf('work_is_page'), { cause: error })
    : new PipelineError({ ...error.failure, side: 'operator' }, { cause: error });

async function postAt(platform: Platform, url: string, tools: RetrieveTools, context: StepContext): Promise<SourcePost> {
  const source = tools.sources[platform];
  if (source === null) throw notConfigured(platform);
  const { post } = await source.resolve(url, context.forPerson);
  if (post.removed) throw new PipelineError(removedAtSource(platform));
  if (post.media.length === 0) throw PipelineError.of('work_not_in_post', { side: platform });
  return post;
}

async function filesOfPost(
  post: SourcePost,
  tools: RetrieveTools,
  context: StepContext,
  reasonOf: (error: unknown) => Failure,
): Promise<AtAddress> {
  const files: WorkFile[] = [];
  const missed: Failure[] = [];
  for (const [index, one] of post.media.entries()) {
    try {
      files.push(await fileOfPost({ ...post, media: [one] }, tools, context));
    } catch (error) {
      missed.push(failureOfFile(reasonOf(error), post.media, index));
    }
  }
  return files.length === 0 && missed[0] !== undefined ? { failure: missed[0] } : { files, missed };
}

/** Of a post with one file. */
async function fileOfPost(
  post: SourcePost,
  { fetcher, media, objects }: RetrieveTools,
  { workFolder, signal }: StepContext,
): Promise<WorkFile> {
  const probed = await probeFiles(post, await fetchFiles(post, workFolder, fetcher, signal), media, signal);
  const [only] = await joinSounds(probed, media, signal);
  if (only === undefined) throw new Error('a post with one file gave none');
  return workFile(await storeFile(objects, only.file, only.info), only.info.kind);
}

const workFile = ({ key, bytes, sha256 }: StoredObject, mediaType: WorkFile['mediaType']): WorkFile => ({
  ...{ bytes, sha256, mediaType },
  objectKey: key,
});
