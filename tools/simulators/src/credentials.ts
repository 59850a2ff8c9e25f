import type { Flavour } from './instagram/access-tokens';

/** Fake credentials of the simulated systems; constant, so that a generated `.env` stays valid. */
export const CREDENTIALS = {
  redditClientId: 'sim-reddit-client',
  redditClientSecret: 'sim-reddit-secret',
  redditUserAgent: 'linux:autoposter-demo:0.1.0 (by /u/autoposter_demo)',
  facebookToken: 'EAASsimulatedFacebookLoginTokenForTheAutoposterDemoAccount00000000000000000000000000000000001',
  instagramToken: 'IGAAsimulatedInstagramLoginTokenForTheAutoposterDemoAccount000000000000000000000000000000001',
  instagramAccountId: '17841400000000042',
  instagramAppId: '990000000000042',
  instagramAppSecret: 'sim-instagram-app-secret',
  geminiKey: 'AIzaSySimulatedGeminiKey000000000000042',
  groqKey: 'gsk_simulatedGroqKey0000000000000000000000000000000042',
  googleClientId: '420000000042-simulated.apps.googleusercontent.com',
  googleClientSecret: 'GOCSPX-sim-google-secret',
  adminEmail: 'admin@autoposter.local',
} as const;

/** Environment variables with which the product authenticates against the simulators. */
export function environmentCredentials(flavour: Flavour): Record<string, string> {
  return {
    REDDIT_CLIENT_ID: CREDENTIALS.redditClientId,
    REDDIT_CLIENT_SECRET: CREDENTIALS.redditClientSecret,
    REDDIT_USER_AGENT: CREDENTIALS.redditUserAgent,
    INSTAGRAM_ACCESS_TOKEN: flavour === 'facebook' ? CREDENTIALS.facebookToken : CREDENTIALS.instagramToken,
    INSTAGRAM_BUSINESS_ACCOUNT_ID: CREDENTIALS.instagramAccountId,
    INSTAGRAM_LOGIN_FLAVOUR: flavour,
    INSTAGRAM_APP_ID: CREDENTIALS.instagramAppId,
    INSTAGRAM_APP_SECRET: CREDENTIALS.instagramAppSecret,
    GEMINI_API_KEY: CREDENTIALS.geminiKey,
    GROQ_API_KEY: CREDENTIALS.groqKey,
    GOOGLE_CLIENT_ID: CREDENTIALS.googleClientId,
    GOOGLE_CLIENT_SECRET: CREDENTIALS.googleClientSecret,
    ADMIN_EMAILS: CREDENTIALS.adminEmail,
  };
}
