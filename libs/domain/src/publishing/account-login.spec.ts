import { authorizationUrl, missingScopes, withheldScopes } from './account-login';

const APPLICATION = { origin: 'https://login.test', apiVersion: 'v26.0', appId: '1', redirectUri: 'https://here.test/back', state: 's' };
const scopesOf = (login: 'instagram' | 'facebook'): string[] =>
  new URL(authorizationUrl(login, APPLICATION)).searchParams.get('scope')?.split(',') ?? [];

test.each([
  ['instagram', ['instagram_business_manage_comments', 'instagram_business_manage_insights']],
  ['facebook', ['instagram_manage_comments', 'instagram_manage_contents', 'instagram_manage_insights']],
] as const)(
  'asks %s Login for the permissions of each feature, of which a person may withhold all but those of publishing',
  (login, optional) => {
    const asked = scopesOf(login);
    expect(asked).toEqual(expect.arrayContaining([...optional]));
    const granted = asked.filter((scope) => !optional.some((one) => one === scope));
    expect(missingScopes(login, granted)).toEqual([]);
    expect(withheldScopes(login, granted).sort()).toEqual([...optional].sort());
  },
);
