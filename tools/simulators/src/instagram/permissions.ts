import type { AccessToken, Flavour } from './access-tokens';
import { graphRefusal } from './graph-refusal';
import type { InstagramSettings } from './instagram-settings';

export type Use = 'basic' | 'publish' | 'insights';

const SCOPES: Readonly<Record<Flavour, Readonly<Record<Use, string>>>> = {
  instagram: {
    basic: 'instagram_business_basic',
    publish: 'instagram_business_content_publish',
    insights: 'instagram_business_manage_insights',
  },
  facebook: { basic: 'instagram_basic', publish: 'instagram_content_publish', insights: 'instagram_manage_insights' },
};
const OF_PAGES = ['pages_show_list', 'pages_read_engagement'];

/** What the owner has given to tokens of this login. */
export function scopesOf(flavour: Flavour, { withheldScopes }: InstagramSettings): string[] {
  const asked = [...Object.values(SCOPES[flavour]), ...(flavour === 'facebook' ? OF_PAGES : [])];
  return asked.filter((scope) => !withheldScopes.includes(scope));
}

export function isPermitted({ flavour }: AccessToken, use: Use, settings: InstagramSettings): boolean {
  return scopesOf(flavour, settings).includes(SCOPES[flavour][use]);
}

/** Ends a call whose token lacks the permission for it. */
export function demand(token: AccessToken, use: Use, settings: InstagramSettings): void {
  if (!isPermitted(token, use, settings)) throw graphRefusal('no_permission');
}
