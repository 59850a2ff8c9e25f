import { HASHTAG_LIMIT, type Capabilities, type Compatibility, type InstagramConfig } from '@autoposter/contracts';
import {
  capabilitiesOf,
  NEWEST_API_VERSION,
  versionNote,
  whyOutOfReach,
  type ApiAccess,
  type MediaAccess,
  type MediaAddressTest,
  type PublishingSwitch,
} from '@autoposter/domain';
import type { AccountFindings, AddressFindings } from './media-reach';

interface Tool {
  available?: boolean;
  message?: string;
}

export interface ToolFindings {
  ffmpeg?: Tool;
  ffprobe?: Tool;
  encoders?: { h264?: boolean; aac?: boolean };
}

const UNKNOWN: Tool = { available: false, message: 'Unknown: no media worker has reported yet.' };

export function presentCompatibility(report: ToolFindings | null, checkedAt: Date | null): Compatibility {
  const tool = (found: Tool | undefined) => ({
    available: found?.available === true,
    message: found?.message ?? (found?.available === true ? 'Available' : (UNKNOWN.message ?? '')),
  });
  const ffmpeg = tool(report?.ffmpeg ?? UNKNOWN);
  const ffprobe = tool(report?.ffprobe ?? UNKNOWN);
  const missing = [report?.encoders?.h264 === false ? 'H.264' : '', report?.encoders?.aac === false ? 'AAC' : ''].filter(
    (name) => name !== '',
  );
  const error = errorOf(report, ffmpeg.available && ffprobe.available, missing);
  return { success: error === null, ffmpeg, ffprobe, error, checkedAt: checkedAt?.toISOString() ?? null };
}

function errorOf(report: ToolFindings | null, available: boolean, missing: readonly string[]): string | null {
  if (report === null) return 'No media worker has reported yet; start the DMCA worker and test again.';
  if (!available) return 'A media tool is missing on the media worker.';
  return missing.length > 0 ? `FFmpeg cannot encode ${missing.join(' and ')}.` : null;
}

/** The last account check, or the refusal that paused publishing after it. */
export function presentAccount(
  found: AccountFindings,
  checkedAt: Date,
  { cause, since, reason, nextAction }: PublishingSwitch,
): NonNullable<InstagramConfig['account']> {
  const isRefusedSince = (cause === 'token' || cause === 'account') && since !== null && Date.parse(since) > checkedAt.getTime();
  if (isRefusedSince) {
    const detail = [reason, nextAction].filter(Boolean).join(' ');
    return { username: found.username ?? null, ok: false, detail, checkedAt: since };
  }
  const ok = found.ok !== false;
  const detail = found.detail ?? (ok ? 'The account is connected.' : 'The account could not be read.');
  return { username: found.username ?? null, ok, detail, checkedAt: checkedAt.toISOString() };
}

export type MediaTest = NonNullable<InstagramConfig['mediaTest']>;

/** A worker makes a requested test within seconds; after this time none is running. */
const TEST_WITHIN_MS = 120_000;

/** The last test of the public address of media. A request for a newer one is pending until a worker has made it. */
export function presentMediaTest(
  found: AddressFindings | null,
  checkedAt: Date | null,
  request: MediaAddressTest | null,
  now: Date,
): MediaTest {
  const requestedAt = Date.parse(request?.requestedAt ?? '');
  const isPending = now.getTime() - requestedAt < TEST_WITHIN_MS && (checkedAt === null || checkedAt.getTime() < requestedAt);
  const problem = found?.problem ?? null;
  return {
    ok: problem === null && found?.tested === true,
    detail: problem ?? describeTest(found),
    checkedAt: checkedAt?.toISOString() ?? null,
    isPending,
  };
}

function describeTest(found: AddressFindings | null): string {
  if (found === null) return 'The publishing worker has not tested the address of media yet.';
  if (found.hasAddress !== true) return 'There is no public address for media: set CDN_BASE_URL.';
  return found.tested === true
    ? 'Media can be fetched from their public address as Instagram fetches them, as far as this installation can tell.'
    : 'There is no processed file yet with which the address of media can be tested.';
}

export function presentReach(
  access: MediaAccess,
  problem: string | null,
): Pick<InstagramConfig, 'canPublishImages' | 'canPublishVideos' | 'mediaHint'> {
  // a reason that excludes videos excludes pictures as well
  const failure = whyOutOfReach([access.videos ? 'image' : 'video'], access);
  const mediaHint = failure ? `${failure.message} ${failure.nextAction}` : problem;
  return { canPublishImages: access.images, canPublishVideos: access.videos, mediaHint };
}

/** Both logins side by side, at the version in use. */
export function presentCapabilities(access: ApiAccess | null): Capabilities {
  const version = access?.version ?? NEWEST_API_VERSION;
  const facebook = capabilitiesOf({ flavour: 'facebook', version });
  const capabilities = capabilitiesOf({ flavour: 'instagram', version }).map(({ name, label, kinds, reason }, index) => ({
    name,
    label,
    kinds: [...kinds],
    instagram: availability(reason),
    facebook: availability(facebook[index]?.reason ?? null),
  }));
  return { login: access?.flavour ?? null, version, versionNote: versionNote(version), capabilities };
}

const availability = (reason: string | null) => ({ available: reason === null, reason });

export function presentHashtagLimit(max: number): NonNullable<InstagramConfig['hashtagLimit']> {
  const { since, source } = HASHTAG_LIMIT;
  return max === HASHTAG_LIMIT.max ? { max, since, source } : { max, since: null, source: 'INSTAGRAM_HASHTAG_LIMIT' };
}
