/** Other people's professional accounts, for business discovery and oEmbed. */
export interface Neighbour {
  username: string;
  name: string;
  followers: number;
  professional: boolean;
  posts: readonly NeighbourPost[];
}

export interface NeighbourPost {
  shortcode: string;
  caption?: string;
  kind: 'IMAGE' | 'REELS' | 'CAROUSEL';
  ageHours: number;
  likes?: number;
  /** Licensed audio, a flag, or the owner's wish: the address of the file is left out. */
  withheld?: boolean;
}

export const NEIGHBOURS: readonly Neighbour[] = [
  {
    username: 'harbour.lights',
    name: 'Harbour Lights',
    followers: 48_210,
    professional: true,
    posts: [
      { shortcode: 'DHarbour001', caption: 'Ferry home, last row, best seat. #harbour', kind: 'REELS', ageHours: 20, likes: 1_904 },
      { shortcode: 'DHarbour002', caption: 'With a song that is not ours.', kind: 'REELS', ageHours: 44, likes: 2_771, withheld: true },
      { shortcode: 'DHarbour003', caption: 'Four lamps.', kind: 'CAROUSEL', ageHours: 70 },
      { shortcode: 'DHarbour004', kind: 'IMAGE', ageHours: 90, likes: 512 },
    ],
  },
  {
    username: 'potters_wheel',
    name: "The Potter's Wheel",
    followers: 7_300,
    professional: true,
    posts: [{ shortcode: 'DPotters001', caption: 'Trimming day.', kind: 'REELS', ageHours: 12, likes: 333 }],
  },
  { username: 'private.person', name: 'A private person', followers: 120, professional: false, posts: [] },
];
