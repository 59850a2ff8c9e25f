/** Under this name the publishing worker leaves what it found out about its account. */
export const ACCOUNT_REPORT = 'instagram-account';

export interface AccountFindings {
  ok?: boolean;
  detail?: string;
  username?: string | null;
  tokenExpiresAt?: string | null;
  canPublishImages?: boolean;
  canPublishVideos?: boolean;
}
