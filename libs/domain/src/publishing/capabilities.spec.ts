import type { PublishOptions } from '@autoposter/contracts';
import { failureOf } from '../errors/failure';
import { capabilitiesOf, explainRefusedValue, refuseOptions, versionNote, type ApiAccess, type OptionsTarget } from './capabilities';

const reasonOf = (name: string, access: ApiAccess) => capabilitiesOf(access).find((entry) => entry.name === name)?.reason;

describe('capabilities', () => {
  it('depend on the login', () => {
    const instagram = { flavour: 'instagram', version: 'v26.0' } as const;
    const facebook = { ...instagram, flavour: 'facebook' } as const;
    for (const name of ['audioId', 'copyrightCheck', 'resumableUpload', 'removal']) {
      expect([reasonOf(name, instagram), reasonOf(name, facebook)]).toEqual(['Instagram offers it with Facebook Login only.', null]);
    }
    expect(reasonOf('collaborators', instagram)).toBeNull();
  });

  it.each(['copyrightCheck', 'resumableUpload'])('%s concerns every post with a video', (name) => {
    const entry = capabilitiesOf({ flavour: 'facebook', version: 'v26.0' }).find((one) => one.name === name);
    expect(entry?.kinds).toEqual(['reel', 'carousel', 'story']);
  });

  it('depend on the version, an expired one being served as the oldest', () => {
    const at = (version: string) => reasonOf('insights', { flavour: 'facebook', version });
    expect([at('v19.0'), at('v21.0'), at('v22.0')]).toEqual([
      'It needs version v22.0 of the API or a later one.',
      'It needs version v22.0 of the API or a later one.',
      null,
    ]);
  });

  it.each([
    ['v26.0', null],
    ['v25.0', 'Instagram serves v25.0 until 2028-07-29.'],
    ['v20.0', 'Instagram no longer serves v20.0; it answers as v21.0.'],
    ['latest', 'latest is not a version of the API, such as v26.0.'],
  ])('say what is special about %s', (version, note) => expect(versionNote(version)).toBe(note));
});

describe('refuseOptions', () => {
  const target: OptionsTarget = {
    kind: 'reel',
    access: { flavour: 'instagram', version: 'v26.0' },
    seconds: 12,
  };
  const refusal = (options: PublishOptions, change: Partial<OptionsTarget> = {}) =>
    refuseOptions(options, { ...target, ...change })?.message ?? null;

  it.each([
    [{}, {}, null],
    [{ shareToFeed: true, collaborators: ['a'], thumbOffsetMs: 11_999 }, {}, null],
    [{ altText: 'A fox' }, {}, 'Alternative text: a reel cannot have it.'],
    [{ altText: 'A fox' }, { kind: 'image' }, null],
    [{ altText: 'A fox' }, { kind: 'carousel' }, 'Alternative text: a carousel cannot have it.'],
    [{ altTexts: ['A fox'] }, { kind: 'image' }, 'Alternative texts: a picture cannot have it.'],
    [{ altTexts: ['A fox', '', 'A dog'] }, { kind: 'carousel', types: ['image', 'video', 'image'] }, null],
    [
      { altTexts: ['', 'A fox'] },
      { kind: 'carousel', types: ['image', 'video'] },
      'Alternative texts: file 2 is a video, which cannot have one.',
    ],
    [{ altTexts: ['', '', ''] }, { kind: 'carousel', types: ['image', 'image'] }, 'Alternative texts: the post has 2 files only.'],
    [{ userTags: ['a'] }, { kind: 'carousel' }, 'Tagged accounts: a carousel cannot have it.'],
    [{ thumbOffsetMs: 12_000 }, {}, 'Cover from the video: the video ends after 12.0 s.'],
    [{ thumbOffsetMs: 12_000 }, { seconds: null }, null],
    [{ audioId: '12345' }, {}, 'Licensed audio: Instagram offers it with Facebook Login only.'],
    [{ audioId: '12345' }, { access: null }, null],
    [{ audioName: 'Dawn chorus' }, {}, null],
    [{ audioName: 'Dawn chorus', audioId: '12345' }, { access: null }, 'Name of the sound: licensed audio keeps its own name.'],
    [{ productTags: [{ productId: '12345', x: 0, y: 1 }] }, {}, 'Product tags: Instagram offers it with Facebook Login only.'],
    [{ productTags: [{ productId: '12345', x: 0, y: 1 }] }, { kind: 'carousel' }, 'Product tags: a carousel cannot have it.'],
    [{ trialReel: 'manual' }, {}, null],
    [{ trialReel: 'manual' }, { kind: 'image' }, 'Trial reel: a picture cannot have it.'],
    [{ paidPartnership: true, sponsorIds: ['12345'] }, { kind: 'carousel' }, null],
    [{ sponsorIds: ['12345'] }, {}, 'Sponsors: only a paid partnership has them.'],
    [{ story: true, paidPartnership: true }, { kind: 'story' }, 'Paid partnership: a story cannot have it.'],
    [{ story: true, aiGenerated: true }, { kind: 'story' }, null],
    [{ story: true, userTags: ['a'] }, { kind: 'story' }, null],
    [{ story: true, collaborators: ['a'] }, { kind: 'story' }, 'Collaborators: a story cannot have it.'],
    [{ story: true, firstComment: 'First' }, { kind: 'story' }, 'First comment: a story cannot have it.'],
    [{ story: true }, { kind: 'carousel' }, 'Story: a carousel cannot have it.'],
    [{ story: true }, { kind: 'story', seconds: 61 }, 'Story: a story lasts 3 to 60 s, and the video 61.0 s.'],
    [{ story: true }, { kind: 'story', seconds: 60, bytes: 100_000_001 }, 'Story: the video of a story has at most 100 MB.'],
    [{ story: true }, { kind: 'story', seconds: null }, null],
  ] as [PublishOptions, Partial<OptionsTarget>, string | null][])('%j with %j', (options, change, message) => {
    expect(refusal(options, change)).toBe(message);
  });
});

describe('explainRefusedValue', () => {
  const refused = failureOf('instagram_value_refused', { detail: { code: 100, subcode: null } });

  it('names the options that only Instagram can check, which a person can change', () => {
    expect(
      explainRefusedValue(refused, { collaborators: ['a.friend'], trialReel: 'manual', altText: 'A fox.', userTags: [] }),
    ).toMatchObject({
      code: 'instagram_options_refused',
      side: 'operator',
      message: 'Instagram did not accept a value of this post, most likely of its publish options: collaborators, trial reel.',
      nextAction: 'Change the publish options of the post, then retry.',
      detail: { code: 100, subcode: null },
    });
  });

  it('leaves the failure of a post without such options', () => {
    expect(explainRefusedValue(refused, { shareToFeed: false, altText: 'A fox.' })).toBe(refused);
  });
});
