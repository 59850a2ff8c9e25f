import type { MatchEvidence, OriginalityState, PermissionView } from '@autoposter/contracts';
import { plural, videoLength } from '../ui/format';

const span = ({ fromSeconds, toSeconds }: { fromSeconds: number; toSeconds: number }) =>
  `${videoLength(fromSeconds)} to ${videoLength(toSeconds)}`;
const segmentText = ({ ours, theirs, offsetSeconds }: NonNullable<MatchEvidence['segment']>) =>
  `${span(ours)} here is ${span(theirs)} there (offset ${offsetSeconds.toFixed(1)} s)`;

export const MATCHES_TEXT = {
  title: 'Matches to decide',
  answeredTitle: 'Answered matches',
  lead: 'A look-alike is released once and is not matched with this work again, unless its answer is changed.',
  loading: 'Loading matches...',
  empty: 'No match waits for a decision',
  emptyHint: 'Posts that resemble a claimed work or an earlier post appear here.',
  error: (message: string) => `Error: ${message}`,
  counted: 'matches',
  show: 'Show',
  shown: { '': 'To decide', answered: 'Answered' },
  deleted: 'A deleted post',
  noAnswer: 'No match was answered yet',
  noAnswerHint: 'Answers appear here and can be changed.',
  answeredBy: (by: string, at: string) => `answered by ${by} on ${at}`,
  with: { claim: 'Claimed work', item: 'Earlier post' },
  ours: 'This post',
  nothingStored: 'No picture is stored any more',
  side: (label: string, atSeconds: number | null) => (atSeconds === null ? label : `${label}, at ${videoLength(atSeconds)}`),
  /** What the evidence is, part by part. */
  evidence: ({
    by,
    matched,
    compared,
    distance,
    shareOfOurs,
    shareOfTheirs,
    views,
    segment,
    comparison,
    file,
  }: MatchEvidence): string[] => {
    if (by === 'sha256') return ['Identical file'];
    const percent = (share: number) => `${Math.round(share * 100)} %`;
    return [
      by === 'sound'
        ? `same sound for ${Math.round(matched)} of ${Math.round(compared)} s, ${percent(distance / 256)} of its bits differ`
        : segment === null && compared === 1
          ? `${distance} of 256 bits differ`
          : `${Math.round(matched)} of ${Math.round(compared)} frames, the closest differ in ${distance} of 256 bits`,
      ...(file === 0 ? [] : [`file ${file + 1}`]),
      ...(shareOfOurs === null ? [] : [`${percent(shareOfOurs)} of this post`]),
      ...(shareOfTheirs === null ? [] : [`${percent(shareOfTheirs)} of the work`]),
      ...(views.every((view) => view === 'full') ? [] : [`views ${views.join(' and ')}`]),
      ...(segment === null ? [] : [segmentText(segment)]),
      ...(comparison === null
        ? []
        : [`pixel correlation ${comparison.correlation.toFixed(2)}`, `${percent(comparison.differing)} of the details differ`]),
      ...(comparison?.leastAlike === undefined ? [] : [`least alike area ${comparison.leastAlike.toFixed(2)}`]),
    ];
  },
  verdicts: { flagged: 'Needs review', blocked: 'Blocked' },
  different: 'Not the same',
  same: 'Same work',
  released: 'Released; this work no longer stops the post',
  confirmed: 'Confirmed; the post is blocked',
  failed: (message: string) => `Failed to save the answer: ${message}`,
  evidenceFile: 'Export evidence',
  exported: (keyId: string) => `Evidence exported; signed with key ${keyId}`,
  exportFailed: (message: string) => `Failed to export the evidence: ${message}`,
};

const rejectedOf = ({ confirmed, rejected }: { confirmed: number; rejected: number }) =>
  `${rejected} of ${confirmed + rejected} rejected (${Math.round((rejected / (confirmed + rejected)) * 100)} %)`;

const MEASURED = { video: 'share', picture: 'least alike area', sound: 'differing bits', identical: '' };

export const THRESHOLDS_TEXT = {
  title: 'Thresholds',
  lead: 'New decisions follow them; earlier decisions stay. A rejected block is a false block.',
  loading: 'Loading thresholds...',
  error: (message: string) => `Error: ${message}`,
  rules: { video: 'Videos', picture: 'Pictures', sound: 'Sounds', identical: 'Identical files' },
  names: {
    videoBlockShare: 'Block from this share',
    videoFlagShare: 'Flag from this share',
    videoExcerptSeconds: 'Flag an excerpt from (seconds)',
    pictureCorrelation: 'Correlation of a copy, at least',
    pictureLeastAlike: 'Correlation of the least alike area, at least',
    soundBitErrors: 'Differing bits of a copy, at most',
    soundSeconds: 'Flag from (seconds)',
  },
  range: ({ min, max, default: measured }: { min: number; max: number; default: number }) =>
    `${min} to ${max}; measured default ${measured}`,
  order: 'Must not be greater than the share from which videos are blocked.',
  rejected: {
    blocked: (counts: { confirmed: number; rejected: number }) => `Blocks: ${rejectedOf(counts)}`,
    flagged: (counts: { confirmed: number; rejected: number }) => `Flags: ${rejectedOf(counts)}`,
  },
  band: (rule: keyof typeof MEASURED, from: number, counts: { confirmed: number; rejected: number }) =>
    `${MEASURED[rule]} ${from.toFixed(1)} to ${(from + 0.1).toFixed(1)}: ${rejectedOf(counts)}`,
  noAnswers: 'No answers yet.',
  loadingAnswers: 'Loading answers...',
  save: 'Save thresholds',
  defaults: 'Use defaults',
  saved: 'Thresholds saved',
  failed: (message: string) => `Failed to save the thresholds: ${message}`,
};

export const NOTICES_TEXT = {
  title: 'Takedown notices',
  add: 'Record notice',
  cancel: 'Cancel',
  save: 'Record and find posts',
  loading: 'Loading notices...',
  loadingOne: 'Loading the notice...',
  empty: 'No notices',
  emptyHint: 'Record a notice when one arrives. Posts that show the work are stopped at once.',
  error: (message: string) => `Error: ${message}`,
  counted: 'notices',
  open: 'Open notice',
  back: 'All notices',
  fields: {
    reference: 'Reference',
    claimant: 'Claimant',
    contact: 'Contact of the claimant',
    work: 'Claimed work',
    signature: 'Signature',
    workUrls: 'Addresses of the work, one per line',
    locations: 'Addresses of our posts, one per line',
  },
  goodFaith: 'States good-faith belief that the use is not authorised',
  accurate: 'States accuracy and, under penalty of perjury, authority to act',
  needed: 'This field is required.',
  recorded: 'Notice recorded',
  failed: (message: string) => `Failed to change the notice: ${message}`,
  statuses: {
    received: 'Received',
    incomplete: 'Incomplete',
    acting: 'In progress',
    answered: 'Answered',
    countered: 'Counter notice',
    restored: 'Restored',
    upheld: 'Upheld',
    rejected: 'Rejected',
  },
  missing: (elements: readonly string[]) => `The notice lacks: ${elements.join(', ')}. No post was stopped.`,
  elements: {
    signature: 'signature',
    work: 'the work',
    locations: 'the posts',
    contact: 'contact',
    goodFaith: 'good-faith statement',
    accuracy: 'accuracy statement',
  },
  removeBy: (at: string) => `Remove by ${at}`,
  answerBy: (at: string) => `Answer by ${at}`,
  answeredAt: (at: string) => `Answered ${at}`,
  window: (from: string, by: string) => `Restore between ${from} and ${by}, unless the claimant goes to court`,
  cases: 'Posts',
  noCases: 'No post shows the work.',
  caseStates: { open: 'To remove', removing: 'Removal started', held: 'Stopped', removed: 'Removed', dismissed: 'Stays' },
  due: (at: string) => `due ${at}`,
  overdue: 'Overdue',
  claimOver: { disputed: 'Claim disputed', withdrawn: 'Claim withdrawn', expired: 'Claim expired' },
  permalink: 'Open on Instagram',
  remove: 'Start removal',
  removed: 'Confirm removal',
  dismissed: 'Keep post',
  caseMoved: 'Case updated',
  named: {
    url: 'The claim names the address of this post',
    author: 'The claim names the author of this post',
    subreddit: 'The claim names the subreddit of this post',
    location: 'The notice names this post',
  },
  /** What tells cases of one post apart. */
  about: {
    claim: (title: string) => `Claim: ${title}`,
    notice: (reference: string) => `Notice: ${reference}`,
    reasons: {
      claim: 'A deleted claim',
      notice: 'A deleted notice',
      source_removed: 'Removed at its source',
      permission_refused: 'Permission refused',
      permission_revoked: 'Permission revoked',
      permission_expired: 'Permission expired',
      platform_match: 'Copyright match on Instagram',
    },
  },
  runAgain: 'Run DMCA protection',
  runRequested: 'DMCA protection requested',
  runFailed: (message: string) => `Failed to request DMCA protection: ${message}`,
  platformMatches: (works: readonly string[]) => `Instagram names: ${works.join(', ')}`,
  answer: 'Answer',
  answerHint: 'Check and send it from your own mail, then record it.',
  sent: 'Record as sent',
  useDraft: 'Discard changes',
  noAnswer: 'It was closed without an answer.',
  answerRecorded: 'Answer recorded',
  counter: 'Record counter notice',
  sender: 'Sender of the counter notice',
  statement: 'Statement',
  counterRecorded: 'Counter notice recorded',
  outcomes: { upheld: 'Close as upheld', rejected: 'Close as rejected', restored: 'Close as restored' },
  closeDetail: {
    upheld: (pending: number) =>
      `The notice is one strike against the account, and repeat infringers are claimed by name.${pending === 0 ? '' : ` Not removed yet: ${plural(pending, 'post')}; the removal stays due.`}`,
    rejected: () => 'The claim of this notice is withdrawn, and it is no strike.',
    restored: () => 'The claim of this notice no longer stops posts, and it is no strike.',
  },
  closed: 'Notice closed',
  stoppedBefore: (posts: number) => `Stopped for this notice: ${plural(posts, 'post')}. Run DMCA protection again for each one to publish.`,
  removedBefore: (posts: number) =>
    `Removed for this notice: ${plural(posts, 'post')}. Publish each one to restore again in the Instagram app.`,
  repeated: (author: string, notices: number) => `Repeat infringer: ${author} with ${plural(notices, 'upheld notice')}`,
  strikes: (active: number, pausesAt: number) =>
    `${plural(active, 'strike')} in the last 90 days; publishing on an account pauses at ${pausesAt}.`,
  strikesOf: (counts: string, pausesAt: number) =>
    `Strikes in the last 90 days: ${counts}; publishing on an account pauses at ${pausesAt}.`,
  pausedFor: (account?: string) =>
    `Publishing${account === undefined ? '' : ` on ${account}`} is still paused for strikes that no longer count.`,
  resumeFailed: (message: string) => `Failed to resume publishing: ${message}`,
  strikesTitle: 'Strikes',
  struck: (at: string) => `Since ${at}`,
  counts: (until: string) => `counts until ${until}`,
  expired: (at: string) => `expired ${at}`,
  cleared: (at: string) => `cleared ${at}`,
  countsForNone: 'counts for no account: the notice is about no published post',
};

export const PERMISSIONS_TEXT = {
  title: 'Permissions',
  lead: 'Ask the author, record the answer with its proof, and revoke it when the author does. Nothing is sent from here.',
  loading: 'Loading permissions...',
  empty: 'No permissions yet',
  emptyHint: 'Posts of subreddits and accounts that require a permission wait until one is granted.',
  error: (message: string) => `Error: ${message}`,
  counted: 'permissions',
  add: 'Ask for permission',
  cancel: 'Cancel',
  draft: 'Draft request',
  drafted: 'Request drafted; copy it and send it yourself',
  kinds: { url: 'Post', author: 'Author', subreddit: 'Subreddit' },
  named: { url: 'Address of the post', author: 'u/name or @name', subreddit: 'Name of the subreddit' },
  grantor: 'Who is asked',
  contact: 'Contact',
  needed: 'This field is required.',
  about: (kind: 'url' | 'author' | 'subreddit', key: string) =>
    `${{ url: 'Post', author: 'Author', subreddit: 'Subreddit' }[kind]}: ${key}`,
  statuses: { requested: 'Requested', granted: 'Granted', refused: 'Refused', revoked: 'Revoked', expired: 'Expired' },
  request: 'Request to send',
  answer: 'Answer of the author, word for word',
  credit: 'Credit line in captions (optional)',
  collaborator: 'Collaborator on Instagram (optional)',
  collaboratorHint: 'Every post that this permits invites the account as a collaborator.',
  onlyWith: (collaborator: string) => `only as a collaboration with @${collaborator}`,
  until: 'Valid until (optional)',
  validUntil: (at: string) => `valid until ${at}`,
  grant: 'Record as granted',
  refuse: 'Record as refused',
  answered: ({ held }: Pick<PermissionView, 'held'>) =>
    held === undefined
      ? 'Answer recorded'
      : `Answer recorded; ${plural(held.flagged, 'post')} stopped, removal of ${plural(held.out.length, 'published post')} proposed`,
  proof: 'Upload proof',
  openProof: 'Open proof',
  downloadProof: 'Download proof',
  earlierProof: (number: number) => `Earlier proof ${number}`,
  proofAdded: 'Proof stored',
  reason: 'Why the permission ends',
  revoke: 'Revoke',
  revoked: (waiting: number, out: number) =>
    `Permission revoked; ${plural(waiting, 'post')} stopped, removal of ${plural(out, 'published post')} proposed`,
  failed: (message: string) => `Failed to change the permission: ${message}`,
  cases: 'Open cases',
  casesLead: 'Published posts whose removal is proposed: claimed, removed at their source, or without permission.',
  noCases: 'No open cases.',
  loadingCases: 'Loading open cases...',
  countedCases: 'open cases',
};

export const ORIGINALITY_TEXT = {
  title: 'Originality',
  lead: 'Posts that Autoposter published in the last 30 days. An estimate: Instagram does not publish how it counts, and posts from elsewhere are not included.',
  loading: 'Loading originality...',
  error: (message: string) => `Error: ${message}`,
  kinds: { original: 'Original', edited: 'Materially edited', collaboration: 'Collaboration', repost: 'Plain repost' },
  distance: ({ repostShare, repostsLeft, othersNeeded, maxRepostShare }: OriginalityState) => {
    if (repostShare === null) return 'Nothing was published in the last 30 days.';
    const percent = (share: number) => `${Math.round(share * 100)} %`;
    const now = `About ${percent(repostShare)} are plain reposts; the greatest share is ${percent(maxRepostShare)}.`;
    if (othersNeeded > 0) return `${now} ${plural(othersNeeded, 'other post')} would bring it back.`;
    return repostsLeft === null ? now : `${now} ${plural(repostsLeft, 'more plain repost')} would stay within it.`;
  },
  hold: 'Hold back plain reposts above the greatest share',
  greatest: 'Greatest share of plain reposts (percent)',
  range: (min: number, max: number, posts: number) => `${min} to ${max}; the rule applies from ${plural(posts, 'published post')} on`,
  save: 'Save rule',
  saved: 'Rule saved',
  failed: (message: string) => `Failed to save: ${message}`,
  mark: 'Originality',
  markHelp: 'Credit, watermark, crop or speed make no post original.',
  marks: { '': 'Plain repost or collaboration', original: 'Original: our own work', edited: 'Materially edited' },
  marked: 'Originality saved',
};

export const RIGHTS_VIEWS = {
  '': 'Register',
  matches: 'Matches',
  notices: 'Notices',
  permissions: 'Permissions',
  originality: 'Originality',
};
