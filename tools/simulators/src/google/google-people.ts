/** The accounts that the sign-in page offers. `sub` is the only thing that never changes. */
export interface GooglePerson {
  sub: string;
  email: string;
  verified: boolean;
  name: string | null;
  hostedDomain?: string;
  /** What the account shows in a test of the admin list. */
  note: string;
}

export const GOOGLE_PEOPLE: readonly GooglePerson[] = [
  {
    sub: '108201000000000000001',
    email: 'admin@autoposter.local',
    verified: true,
    name: 'Ada Min',
    hostedDomain: 'autoposter.local',
    note: 'on the admin list',
  },
  { sub: '108201000000000000002', email: 'stranger@example.com', verified: true, name: 'Sam Stranger', note: 'not on the admin list' },
  {
    sub: '108201000000000000003',
    email: 'unverified@autoposter.local',
    verified: false,
    name: 'Una Verified',
    note: 'address not verified',
  },
  { sub: '108201000000000000004', email: 'nameless@example.com', verified: true, name: null, note: 'no name, no picture' },
  {
    // the same account as the first: Google tells its address as its owner wrote it
    sub: '108201000000000000001',
    email: 'ADMIN@Autoposter.Local',
    verified: true,
    name: 'Ada Min (capitals)',
    note: 'the admin address in capitals',
  },
];
