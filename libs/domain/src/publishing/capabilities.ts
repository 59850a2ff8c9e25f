import { LIMITS, LOGIN_NAMES, type LoginFlavour, type MediaType, type PostKind, type PublishOptions } from '@autoposter/contracts';
import { failureOf, type Failure } from '../errors/failure';

/** Tokens of Facebook Login begin with `EA`, those of Instagram Login with `IG`. */
export const flavourOf = (token: string): LoginFlavour => (token.startsWith('EA') ? 'facebook' : 'instagram');

/** How an account is reached. */
export interface ApiAccess {
  flavour: LoginFlavour;
  /** Such as `v26.0`. */
  version: string;
}

/** Versions that Instagram serves, oldest first, and until when. Source: Graph API changelog of July 2026. */
const VERSIONS: readonly { major: number; servedUntil: string | null }[] = [
  { major: 21, servedUntil: '2027-01-21' },
  { major: 22, servedUntil: '2027-05-20' },
  { major: 23, servedUntil: '2027-10-08' },
  { major: 24, servedUntil: '2028-02-18' },
  { major: 25, servedUntil: '2028-07-29' },
  { major: 26, servedUntil: null },
];
const OLDEST = VERSIONS[0]?.major ?? 0;
export const NEWEST_API_VERSION = `v${VERSIONS.at(-1)?.major ?? 0}.0`;

type CapabilityName =
  keyof PublishOptions | 'uploadedCover' | 'resumableUpload' | 'copyrightCheck' | 'insights' | 'removal' | 'businessDiscovery';

interface CapabilityRow {
  name: CapabilityName;
  label: string;
  /** Kinds of posts that have it; empty for what concerns no single post. */
  kinds: readonly PostKind[];
  /** Logins that offer it; by default both. */
  only?: LoginFlavour;
  /** Major number of the first version that offers it, where later than the oldest one that is served. */
  since?: number;
}

const row = (name: CapabilityName, label: string, kinds: readonly PostKind[] = [], more: Pick<CapabilityRow, 'only' | 'since'> = {}) => ({
  name,
  label,
  kinds,
  ...more,
});

const FEED: readonly PostKind[] = ['reel', 'image', 'carousel'];
const ALL: readonly PostKind[] = [...FEED, 'story'];

/** What the API offers. Sources: Instagram Platform reference, IG User Media, IG Container and IG Media, of September 2026. */
const CAPABILITIES: readonly CapabilityRow[] = [
  row('story', 'Story', ['story']),
  row('shareToFeed', 'Share to feed', ['reel']),
  row('locationId', 'Location', FEED),
  row('collaborators', 'Collaborators', FEED),
  row('userTags', 'Tagged accounts', ['reel', 'image', 'story']),
  row('altText', 'Alternative text', ['image']),
  row('altTexts', 'Alternative texts', ['carousel']),
  row('thumbOffsetMs', 'Cover from the video', ['reel']),
  row('uploadedCover', 'Cover picture', ['reel']),
  row('firstComment', 'First comment', FEED),
  row('audioId', 'Licensed audio', ['reel'], { only: 'facebook' }),
  row('audioName', 'Name of the sound', ['reel']),
  row('productTags', 'Product tags', ['reel', 'image'], { only: 'facebook' }),
  row('trialReel', 'Trial reel', ['reel']),
  row('paidPartnership', 'Paid partnership', FEED),
  row('sponsorIds', 'Sponsors', FEED),
  row('aiGenerated', 'Made with AI', ALL),
  row('resumableUpload', 'Upload without a public address', ['reel', 'carousel', 'story'], { only: 'facebook' }),
  row('copyrightCheck', "Instagram's copyright check", ['reel', 'carousel', 'story'], { only: 'facebook' }),
  // the metric `views`, which replaced the former ones in April 2025
  row('insights', 'Insights', ALL, { since: 22 }),
  row('removal', 'Removing a published post', ALL, { only: 'facebook' }),
  row('businessDiscovery', 'Reading posts of other professional accounts', [], { only: 'facebook' }),
];

const majorOf = (version: string): number => Number(/^v(\d+)/.exec(version)?.[1] ?? Number.NaN);

/** Why a capability is not available, `null` where it is. */
function whyUnavailable({ only, since }: CapabilityRow, { flavour, version }: ApiAccess): string | null {
  if (only !== undefined && only !== flavour) return `Instagram offers it with ${LOGIN_NAMES[only]} only.`;
  // an expired version is served as the oldest one that still is
  const major = Math.max(majorOf(version), OLDEST);
  return since !== undefined && major < since ? `It needs version v${since}.0 of the API or a later one.` : null;
}

export interface Capability {
  name: CapabilityName;
  label: string;
  kinds: readonly PostKind[];
  reason: string | null;
}

export const capabilitiesOf = (access: ApiAccess): Capability[] =>
  CAPABILITIES.map((entry) => ({ name: entry.name, label: entry.label, kinds: entry.kinds, reason: whyUnavailable(entry, access) }));

/** A remark about an API version for administrators, or `null`. */
export function versionNote(version: string): string | null {
  const major = majorOf(version);
  if (Number.isNaN(major)) return `${version} is not a version of the API, such as ${NEWEST_API_VERSION}.`;
  if (major < OLDEST) return `Instagram no longer serves ${version}; it answers as v${OLDEST}.0.`;
  const until = VERSIONS.find((known) => known.major === major)?.servedUntil ?? null;
  return until === null ? null : `Instagram serves ${version} until ${until}.`;
}

/** The facts that decide which options a post may have; `null` if unknown. */
export interface OptionsTarget {
  kind: PostKind;
  access: ApiAccess | null;
  seconds: number | null;
  /** Size of the file, if known. */
  bytes?: number | null;
  /** Of all files, in order, if known. */
  types?: readonly MediaType[];
}

const KIND_NAMES: Record<PostKind, string> = { reel: 'a reel', image: 'a picture', carousel: 'a carousel', story: 'a story' };

/** Instagram's limits of a story's video; a picture has no duration. Source: IG User Media, story specifications, of September 2026. */
const STORY_VIDEO = { minSeconds: 3, maxSeconds: 60, megabytes: 100 } as const;

const whyUnfit = ({ kinds }: CapabilityRow, kind: PostKind): string | null =>
  kinds.includes(kind) ? null : `${KIND_NAMES[kind]} cannot have it.`;

/** Why a post cannot have these options, `null` if it can. API, publishing worker and console show the same sentence. */
export function refuseOptions(options: PublishOptions, { kind, access, seconds, bytes = null, types }: OptionsTarget): Failure | null {
  for (const entry of CAPABILITIES) {
    if (!(entry.name in options) || options[entry.name as keyof PublishOptions] === undefined) continue;
    const reason = whyUnfit(entry, kind) ?? (access === null ? null : whyUnavailable(entry, access));
    if (reason !== null) return optionUnavailable(entry.label, reason);
  }
  const unfitStory = kind === 'story' ? whyNoStory(seconds, bytes) : null;
  if (unfitStory !== null) return optionUnavailable('Story', unfitStory);
  const { thumbOffsetMs, altTexts = [], sponsorIds = [], paidPartnership, audioId, audioName } = options;
  if (sponsorIds.length > 0 && paidPartnership !== true) return optionUnavailable('Sponsors', 'only a paid partnership has them.');
  if (audioId !== undefined && audioName !== undefined) return optionUnavailable('Name of the sound', 'licensed audio keeps its own name.');
  const unfitText = types === undefined ? null : whyNoAltTexts(altTexts, types);
  if (unfitText !== null) return optionUnavailable('Alternative texts', unfitText);
  if (thumbOffsetMs === undefined || seconds === null || thumbOffsetMs < seconds * 1000) return null;
  return optionUnavailable('Cover from the video', `the video ends after ${seconds.toFixed(1)} s.`);
}

/** Options whose values name accounts, places, products and sounds that only Instagram knows. */
const CHECKED_BY_INSTAGRAM: readonly CapabilityName[] = [
  'locationId',
  'collaborators',
  'userTags',
  'audioId',
  'productTags',
  'trialReel',
  'sponsorIds',
];

/** The failure of a container of which Instagram refused a value without saying which: the options that only it can check are the likely ones. */
export function explainRefusedValue(failure: Failure, options: PublishOptions): Failure {
  const likely = CAPABILITIES.filter(({ name }) => {
    const value: unknown = options[name as keyof PublishOptions];
    return CHECKED_BY_INSTAGRAM.includes(name) && value !== undefined && !(Array.isArray(value) && value.length === 0);
  });
  if (likely.length === 0) return failure;
  const fields = { options: likely.map(({ label }) => label.toLowerCase()).join(', ') };
  return failureOf('instagram_options_refused', { fields, ...(failure.detail === undefined ? {} : { detail: failure.detail }) });
}

/** The options with this account as a collaborator, as a permission requires; the reason where the post cannot have it. */
export function withCollaborator(
  options: PublishOptions,
  collaborator: string,
  kind: PostKind,
): { options: PublishOptions } | { reason: string } {
  const others = options.collaborators ?? [];
  if (others.includes(collaborator)) return { options };
  const entry = CAPABILITIES.find(({ name }) => name === 'collaborators');
  const reason = entry === undefined ? null : whyUnfit(entry, kind);
  if (reason !== null) return { reason };
  const most = LIMITS.publishOptions.collaborators;
  if (others.length >= most) return { reason: `a post has at most ${most} collaborators; remove one of the others.` };
  return { options: { ...options, collaborators: [...others, collaborator] } };
}

function whyNoAltTexts(texts: readonly string[], types: readonly MediaType[]): string | null {
  if (texts.length > types.length) return `the post has ${types.length} files only.`;
  const index = texts.findIndex((text, at) => text !== '' && types[at] === 'video');
  return index < 0 ? null : `file ${index + 1} is a video, which cannot have one.`;
}

function whyNoStory(seconds: number | null, bytes: number | null): string | null {
  const { minSeconds, maxSeconds, megabytes } = STORY_VIDEO;
  if (seconds === null) return null;
  if (seconds < minSeconds || seconds > maxSeconds)
    return `a story lasts ${minSeconds} to ${maxSeconds} s, and the video ${seconds.toFixed(1)} s.`;
  return bytes !== null && bytes > megabytes * 1_000_000 ? `the video of a story has at most ${megabytes} MB.` : null;
}

/** `option`: its label. */
export const optionUnavailable = (option: string, reason: string): Failure =>
  failureOf('publish_option_unavailable', { fields: { option, reason } });
