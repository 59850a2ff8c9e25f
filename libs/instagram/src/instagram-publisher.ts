import type { LoginFlavour, PostKind } from '@autoposter/contracts';
import {
  failureOf,
  flavourOf,
  objectIn,
  PipelineError,
  type AccountReport,
  type ContainerRequest,
  type ContainerState,
  type ContainerStatus,
  type CopyrightCheck,
  type CopyrightMatch,
  type FailureCode,
  type PublishedMedia,
  type Publisher,
  type PublishOutcome,
} from '@autoposter/domain';
import { refreshAccessToken, inspectToken, type RenewedToken } from './access-token';
import { containerParameters, uploadBytes } from './container';
import { GraphApi, type GraphSettings } from './graph-api';
import { readComments, readCopyrightCheck, readCopyrightMatches, readMedia, readMetrics, toIsoTime, type GraphMedia } from './graph-media';
import { readPublishAnswer } from './publish-outcome';

export interface InstagramPublisherOptions extends GraphSettings {
  /** Origin of the upload host (Facebook Login only). */
  uploadUrl: string;
  /** The id for publishing of the professional account. */
  accountId: string;
  /** By default derived from the token: `IG…` is Instagram Login, `EA…` Facebook Login. */
  flavour?: LoginFlavour;
  appId?: string;
  appSecret?: string;
  /** For the publish call, which may take long; by default 60 s. */
  publishTimeoutMs?: number;
}

const unchecked = (state: 'error' | 'not_started'): CopyrightCheck => ({ state, matchesFound: false, matches: [] });
const STATUSES: readonly ContainerStatus[] = ['IN_PROGRESS', 'FINISHED', 'ERROR', 'EXPIRED', 'PUBLISHED'];
const MEDIA_FIELDS = 'id,caption,media_type,media_product_type,permalink,timestamp';
/** Metrics that every kind of post has: one that a kind lacks fails the whole request. */
const METRICS = ['views', 'reach', 'likes', 'comments', 'saved', 'shares', 'total_interactions'];
const STORY_METRICS = ['views', 'reach', 'replies', 'shares', 'navigation', 'total_interactions'];
const PAGE = 50;

/**
 * Publishes through the Instagram API in either login flavour. Each method makes one call and never retries it. Reading calls throw
 * `PipelineError`, `publish` always returns an outcome.
 */
export class InstagramPublisher implements Publisher {
  readonly accountId: string;
  readonly flavour: LoginFlavour;
  private readonly api: GraphApi;

  constructor(private readonly options: InstagramPublisherOptions) {
    this.accountId = options.accountId;
    this.flavour = options.flavour ?? flavourOf(options.accessToken);
    this.api = new GraphApi(options);
  }

  get canUpload(): boolean {
    return this.flavour === 'facebook' && this.options.uploadUrl !== '';
  }

  /**
   * The account of the token, when the token expires and how much of the quota is used. Throws `not_configured` where the token belongs
   * to another account; values that the flavour does not offer are `null`.
   */
  async account(): Promise<AccountReport> {
    this.demandSettings();
    const username = await this.readUsername();
    const quota = await this.quota().catch((error: unknown) => {
      // the report has to show what is wrong with the account; without the quota alone it is still useful
      if (error instanceof PipelineError && (error.failure.kind === 'not_authorised' || error.failure.kind === 'policy')) throw error;
      return null;
    });
    // wrong credentials of the application do not make the token wrong: only these facts are unknown then
    const token = await inspectToken(this.api, this.flavour, this.options).catch(() => null);
    if (token?.mayPublish === false) throw PipelineError.of('instagram_permission_missing');
    return {
      accountId: this.accountId,
      username,
      flavour: this.flavour,
      tokenExpiresAt: token?.expiresAt ?? null,
      quotaUsed: quota?.used ?? null,
      quotaTotal: quota?.total ?? null,
    };
  }

  /** Posts through the API in the platform's rolling window, and how many it allows; both are live values. */
  async quota(): Promise<{ used: number; total: number; windowSeconds: number }> {
    const answer = await this.api.get(this.path('content_publishing_limit'), { fields: 'quota_usage,config' });
    const entry = objectIn(Array.isArray(answer['data']) ? answer['data'][0] : undefined);
    const config = objectIn(entry['config']);
    const [used, total, windowSeconds] = [entry['quota_usage'], config['quota_total'], config['quota_duration']];
    if (typeof used !== 'number' || typeof total !== 'number') throw unreadable('its publishing limit');
    return { used, total, windowSeconds: typeof windowSeconds === 'number' ? windowSeconds : 86_400 };
  }

  /** Creates a container and uploads the bytes of the request, if any. A container lives 24 hours, 400 a day are allowed. */
  async createContainer(request: ContainerRequest): Promise<{ containerId: string }> {
    this.demandSettings();
    const parameters = containerParameters(request);
    const upload = parameters['upload_type'] === 'resumable' ? request.upload : undefined;
    if (upload && !this.canUpload) throw PipelineError.of('uploads_not_offered');
    const containerId = idIn(await this.api.post(this.path('media'), parameters, 60_000));
    if (upload) {
      const { uploadUrl, apiVersion } = this.options;
      await uploadBytes(this.api.fetchFn, { uploadUrl, apiVersion, accessToken: this.api.accessToken, containerId }, upload);
    }
    return { containerId };
  }

  /** State of a container, with the platform's own copyright check where this login has it. */
  async containerStatus(containerId: string): Promise<ContainerState> {
    const { answer, refusesCheck } = await this.readContainer(containerId);
    const status = STATUSES.find((known) => known === answer['status_code']);
    if (!status) throw unreadable('the state of the upload');
    // this login has the check: a refused field is a check that failed, and a missing one has not begun
    const missing = this.flavour === 'facebook' ? unchecked(refusesCheck ? 'error' : 'not_started') : null;
    const found = readCopyrightCheck(answer['copyright_check_status']) ?? missing;
    const copyright = found?.matchesFound ? { ...found, matches: await this.copyrightMatches(containerId) } : found;
    return { status, message: typeof answer['status'] === 'string' ? answer['status'] : null, copyright };
  }

  /** The matched works of a container or media; none where the platform does not name them. */
  private async copyrightMatches(id: string): Promise<CopyrightMatch[]> {
    try {
      const answer = await this.api.get(`/${encodeURIComponent(id)}`, { fields: 'copyright_check_information' });
      return readCopyrightMatches(answer['copyright_check_information']);
    } catch (error) {
      if (refusesValue(error)) return [];
      throw error;
    }
  }

  /** The one irreversible call, sent once. Never throws: a call whose answer did not arrive is `unknown`. */
  async publish(containerId: string, beforeCall?: () => void): Promise<PublishOutcome> {
    beforeCall?.();
    try {
      const timeoutMs = this.options.publishTimeoutMs ?? 60_000;
      const answer = await this.api.postRaw(this.path('media_publish'), { creation_id: containerId }, timeoutMs);
      const outcome = readPublishAnswer(answer);
      if (outcome.outcome !== 'published')
        this.api.logger?.warn(
          { containerId, ...outcome, failure: outcome.failure?.kind, status: answer.status },
          'publish call not confirmed',
        );
      return outcome;
    } catch (error) {
      const message = error instanceof PipelineError ? error.failure.message : 'The publish call was interrupted.';
      this.api.logger?.warn({ containerId, outcome: 'unknown' }, message);
      return { outcome: 'unknown', code: null, message };
    }
  }

  /** Address of a published post; `null` where the answer has none. */
  async permalink(mediaId: string): Promise<string | null> {
    return textOrNull((await this.api.get(`/${encodeURIComponent(mediaId)}`, { fields: 'id,permalink' }))['permalink']);
  }

  /** A published post as the platform stored it; `null` where the account no longer has it. */
  async readPost(mediaId: string): Promise<PublishedMedia | null> {
    try {
      const answer = await this.api.get(`/${encodeURIComponent(mediaId)}`, { fields: MEDIA_FIELDS });
      return readMedia({ data: [answer] }).media.map(toPublishedMedia)[0] ?? null;
    } catch (error) {
      if (hasCode(error, 'instagram_object_unknown')) return null;
      throw error;
    }
  }

  /** The copyright check of a published post; `null` where this login has none. */
  async copyrightOf(mediaId: string): Promise<CopyrightCheck | null> {
    if (this.flavour !== 'facebook') return null;
    const answer = await this.api.get(`/${encodeURIComponent(mediaId)}`, { fields: 'copyright_check_information' });
    const information = objectIn(answer['copyright_check_information']);
    const matches = readCopyrightMatches(information);
    // a missing result may still come
    const check = readCopyrightCheck(information['status']) ?? unchecked('not_started');
    return { ...check, matchesFound: check.matchesFound || matches.length > 0, matches };
  }

  /** Metrics of a post by name; empty while Instagram has none, which may take two days. */
  async insights(mediaId: string, kind: PostKind = 'reel'): Promise<Record<string, number>> {
    const metrics = kind === 'story' ? STORY_METRICS : METRICS;
    try {
      return await this.readInsights(mediaId, metrics);
    } catch (error) {
      if (!refusesValue(error)) throw error;
      return this.insightsOneByOne(mediaId, metrics, error);
    }
  }

  /** Instagram changes which metrics a post has, and one that it lacks fails a request for all. Throws `refusal` where it has none of them. */
  private async insightsOneByOne(mediaId: string, metrics: readonly string[], refusal: unknown): Promise<Record<string, number>> {
    const found: Record<string, number> = {};
    let refused = 0;
    for (const metric of metrics) {
      try {
        Object.assign(found, await this.readInsights(mediaId, [metric]));
      } catch (error) {
        if (!refusesValue(error)) throw error;
        refused += 1;
      }
    }
    if (refused === metrics.length) throw refusal;
    return found;
  }

  private async readInsights(mediaId: string, metrics: readonly string[]): Promise<Record<string, number>> {
    try {
      return readMetrics(await this.api.get(`/${encodeURIComponent(mediaId)}/insights`, { metric: metrics.join(',') }));
    } catch (error) {
      // the code of a missing permission is also that of a post with too few viewers
      if (!hasCode(error, 'instagram_permission_missing')) throw error;
      const { detail = {} } = (error as PipelineError).failure;
      throw new PipelineError(failureOf('instagram_metrics_withheld', { detail }), { cause: error });
    }
  }

  /** All comments of a post: the account's own may be behind many newer ones. */
  async comments(mediaId: string): Promise<{ id: string; text: string }[]> {
    const found: { id: string; text: string }[] = [];
    const path = `/${encodeURIComponent(mediaId)}/comments`;
    for await (const { comments } of this.api.pages(path, { fields: 'id,text' }, readComments)) found.push(...comments);
    return found;
  }

  /**
   * Comments on a post of the account. The call is not idempotent: read `comments` before it is repeated. `beforeCall` runs right before the
   * request is sent; if it throws, nothing is sent.
   */
  async comment(mediaId: string, message: string, beforeCall?: () => void): Promise<string> {
    beforeCall?.();
    return idIn(await this.api.post(`/${encodeURIComponent(mediaId)}/comments`, { message }));
  }

  /**
   * Removes a published post and reads it again: only a post that the platform no longer knows counts as removed. `not_offered` where this
   * login or its permissions do not allow it. Throws while the post is still there.
   */
  async remove(mediaId: string): Promise<'removed' | 'not_offered'> {
    if (this.flavour !== 'facebook') return 'not_offered';
    const path = `/${encodeURIComponent(mediaId)}`;
    try {
      await this.api.delete(path);
    } catch (error) {
      if (hasCode(error, 'instagram_permission_missing', 'instagram_call_not_allowed')) return 'not_offered';
      if (!hasCode(error, 'instagram_object_unknown')) throw error;
    }
    try {
      await this.api.get(path, { fields: 'id' });
    } catch (error) {
      if (hasCode(error, 'instagram_object_unknown')) return 'removed';
      throw error;
    }
    throw PipelineError.of('instagram_post_still_there');
  }

  /** Own media, newest first, back to `since`. Ends at the first page of older media. */
  async recentMedia(since: Date): Promise<PublishedMedia[]> {
    const found: PublishedMedia[] = [];
    for await (const page of this.ownMedia(MEDIA_FIELDS)) {
      const recent = page.filter((media) => Date.parse(toIsoTime(media.timestamp)) >= since.getTime());
      found.push(...recent.map(toPublishedMedia));
      if (page.length > 0 && recent.length === 0) break;
    }
    return found;
  }

  /** Own stories of the last 24 hours. Source: Instagram Platform reference, IG User Stories, of January 2025. */
  async stories(): Promise<PublishedMedia[]> {
    const found: PublishedMedia[] = [];
    for await (const page of this.ownMedia(MEDIA_FIELDS, 'stories')) found.push(...page.map(toPublishedMedia));
    return found;
  }

  /** Pages of the account's own media, newest first. */
  async *ownMedia(fields: string, edge: 'media' | 'stories' = 'media'): AsyncGenerator<GraphMedia[]> {
    const pages = this.api.pages(this.path(edge), { fields, limit: String(PAGE) }, (answer) => readMedia(answer));
    for await (const { media } of pages) yield media;
  }

  /** A renewed token; see `refreshAccessToken`. Storing it and switching to it is up to the caller. */
  renewToken(): Promise<RenewedToken> {
    return refreshAccessToken(this.api, this.flavour);
  }

  /** Switches to another token of the same account. */
  useToken(accessToken: string): void {
    this.api.useToken(accessToken);
  }

  /** Reads any object of the Graph API, for the other sources of this library. */
  read(path: string, fields: string): Promise<Record<string, unknown>> {
    return this.api.get(path, { fields });
  }

  private async readContainer(containerId: string): Promise<{ answer: Record<string, unknown>; refusesCheck: boolean }> {
    const path = `/${encodeURIComponent(containerId)}`;
    const fields = 'id,status_code,status';
    if (this.flavour === 'instagram') return { answer: await this.api.get(path, { fields }), refusesCheck: false };
    try {
      return { answer: await this.api.get(path, { fields: `${fields},copyright_check_status` }), refusesCheck: false };
    } catch (error) {
      // it may name the field of the check, without which the state can still be read
      if (!refusesValue(error)) throw error;
      return { answer: await this.api.get(path, { fields }), refusesCheck: true };
    }
  }

  private async readUsername(): Promise<string | null> {
    if (this.flavour === 'facebook') return textOrNull((await this.api.get(`/${this.accountId}`, { fields: 'id,username' }))['username']);
    const me = await this.api.get('/me', { fields: 'user_id,username,account_type' });
    // `id` is app-scoped: it can be read, but nothing is published on it
    const userId = String(me['user_id'] ?? me['id'] ?? this.accountId);
    if (userId !== this.accountId)
      throw this.accountId === String(me['id'])
        ? PipelineError.of('instagram_app_scoped_id', { fields: { userId } })
        : PipelineError.of('instagram_other_account');
    return textOrNull(me['username']);
  }

  private demandSettings(): void {
    if (this.options.accessToken === '' || this.accountId === '') throw PipelineError.of('instagram_not_configured');
  }

  private path(edge: string): string {
    return `/${encodeURIComponent(this.accountId)}/${edge}`;
  }
}

function idIn(answer: Record<string, unknown>): string {
  if (typeof answer['id'] === 'string' && answer['id'] !== '') return answer['id'];
  throw unreadable('the id of the upload');
}

const toPublishedMedia = (media: GraphMedia): PublishedMedia => ({
  id: media.id,
  caption: media.caption ?? null,
  mediaType: media.media_type ?? 'UNKNOWN',
  productType: media.media_product_type ?? null,
  permalink: media.permalink ?? null,
  timestamp: toIsoTime(media.timestamp),
});

const hasCode = (error: unknown, ...codes: FailureCode[]): boolean =>
  error instanceof PipelineError && codes.some((code) => code === error.failure.code);

/** Code 100 without a meaning of its own: Instagram does not accept a field, a metric or another value. */
const refusesValue = (error: unknown): boolean =>
  hasCode(error, 'instagram_value_refused', 'instagram_refused') && (error as PipelineError).failure.detail?.['code'] === 100;

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const unreadable = (missing: string): PipelineError => PipelineError.of('instagram_answer_incomplete', { fields: { missing } });
