import { toFailure, type AccountReport, type Publisher } from '@autoposter/domain';

/** What the settings screen shows about the account; no token in it. */
export interface AccountFindings {
  ok: boolean;
  username: string | null;
  detail: string;
  tokenExpiresAt: string | null;
  quotaUsed: number | null;
  quotaTotal: number | null;
}

/** Asks the platform who the token speaks for; a refusal is a finding, not an error. */
export async function readAccount(publisher: Publisher): Promise<AccountFindings> {
  try {
    return { ok: true, ...factsOf(await publisher.account()) };
  } catch (error) {
    const { message, nextAction } = toFailure(error);
    return { ok: false, username: null, detail: `${message} ${nextAction}`, tokenExpiresAt: null, quotaUsed: null, quotaTotal: null };
  }
}

const factsOf = ({ username, flavour, tokenExpiresAt, quotaUsed, quotaTotal }: AccountReport) => {
  const login = flavour === 'instagram' ? 'Instagram Login' : 'Facebook Login';
  const quota = quotaUsed === null || quotaTotal === null ? '' : ` ${quotaUsed} of ${quotaTotal} posts of the window are used.`;
  const expiry = tokenExpiresAt === null ? '' : ` The token expires on ${tokenExpiresAt.slice(0, 10)}.`;
  return { username, tokenExpiresAt, quotaUsed, quotaTotal, detail: `Connected through ${login}.${quota}${expiry}` };
};
