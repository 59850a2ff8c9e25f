import { toFailure, type AccountReport, type MediaAccess, type Publisher } from '@autoposter/domain';

/** What the settings screen shows about the account; no token in it. */
export interface AccountFindings {
  ok: boolean;
  username: string | null;
  detail: string;
  tokenExpiresAt: string | null;
  quotaUsed: number | null;
  quotaTotal: number | null;
  canPublishImages: boolean;
  canPublishVideos: boolean;
}

/**
 * Asks the platform who the token speaks for; a refusal is a finding, not an error. `knownExpiry` is the end of a renewed token where the
 * platform does not tell it.
 */
export async function readAccount(publisher: Publisher, access: MediaAccess, knownExpiry: string | null): Promise<AccountFindings> {
  const reach = { canPublishImages: access.images, canPublishVideos: access.videos };
  try {
    const report = await publisher.account();
    return { ok: true, ...factsOf({ ...report, tokenExpiresAt: report.tokenExpiresAt ?? knownExpiry }), ...reach };
  } catch (error) {
    const { message, nextAction } = toFailure(error);
    const nothing = { username: null, tokenExpiresAt: knownExpiry, quotaUsed: null, quotaTotal: null };
    return { ok: false, detail: `${message} ${nextAction}`, ...nothing, ...reach };
  }
}

const factsOf = ({ username, flavour, tokenExpiresAt, quotaUsed, quotaTotal }: AccountReport) => {
  const login = flavour === 'instagram' ? 'Instagram Login' : 'Facebook Login';
  const quota = quotaUsed === null || quotaTotal === null ? '' : ` ${quotaUsed} of ${quotaTotal} posts of the window are used.`;
  const expiry = tokenExpiresAt === null ? '' : ` The token expires on ${tokenExpiresAt.slice(0, 10)}.`;
  return { username, tokenExpiresAt, quotaUsed, quotaTotal, detail: `Connected through ${login}.${quota}${expiry}` };
};
