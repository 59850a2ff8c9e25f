export const SIGN_IN_TEXT = {
  comingSoon: 'Coming Soon',
  button: 'Sign in with Google',
  loading: 'Loading...',
  promise: 'Collect, check, caption and publish posts, and follow every step in one console.',
  stages: 'The stages of every post',
};

/** Why a sign-in came to nothing, by the reason that the server names. */
export const SIGN_IN_REASONS: Record<string, string> = {
  sign_in_cancelled: 'The sign-in was cancelled.',
  sign_in_expired: 'The sign-in took too long. Please try again.',
  sign_in_failed: 'Google did not confirm the sign-in. Please try again.',
  google_unreachable: 'Google could not be reached. Please try again in a moment.',
  not_recorded: 'The sign-in could not be recorded here. Please try again in a moment.',
  not_configured: 'Sign-in is not configured on the server yet.',
  email_missing: 'Google did not provide the e-mail of this account.',
  email_unverified: 'The e-mail of this Google account is not verified.',
  account_changed: 'Another Google account has used this e-mail before. Ask the administrator to accept the new one.',
  not_admin: 'The e-mail of this Google account is not in the admin list.',
};

export const DENIED_TEXT = {
  title: 'Access Denied',
  subtitle: 'Admin Access Required',
  sentence: 'Your account is not authorized to use this application.',
  refused: (email: string) => `You signed in as ${email}.`,
  steps: ['Contact the administrator to ask for access', 'Use the right Google account', 'Verify that your e-mail is in the admin list'],
  back: 'Back to Home',
  other: 'Try another account',
};

export const GUARD_TEXT = {
  title: 'Admin Access Required',
  prompt: 'Please sign in with an admin account to continue.',
};

export const SCREEN_ERROR_TEXT = {
  title: 'This screen could not be shown',
  unknown: 'Unexpected error',
  hint: 'Reload the page to get the latest version.',
  again: 'Reload',
};
