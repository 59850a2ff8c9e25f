import { pdqHash } from './pdq';

/**
 * Hashes by the reference implementation of PDQ (facebook/ThreatExchange pdq/cpp, BSD) of pictures that a formula paints; computed with its Python
 * binding, `pdqhash` 0.2.8 of PyPI: `compute` for the picture, the sixth hash of `compute_dihedral` for its mirror image.
 */
const VECTORS: readonly (readonly [seed: number, width: number, height: number, quality: number, hash: string, mirrored: string])[] = [
  [
    0,
    64,
    64,
    100,
    '94ada5954929aa2532aac54aca5a349669a553758ced71d5aead587b63e61e1c',
    'c1f8f0c00c7cff7067ffa01f9f0f63c33cf80620d9b82480fbf80d2eb2b34a49',
  ],
  [
    11,
    64,
    64,
    100,
    'cef6fc22e0bc1d62e8ac352a6c4c9f82241ed0da6d1ed3d24756f8f81203ecad',
    'dba32977b5e94037b5f9407f3119cad7514b858f304906871203adad575639f8',
  ],
  [
    1,
    128,
    128,
    100,
    '6b3bc7338a239477aaab54aaed5af2d20db673260cccf98ce61c787807e0fc00',
    '0e669206db764122fffe01ffb80f878758e326735991acd993490d2d52a5a955',
  ],
  [
    12,
    128,
    128,
    100,
    'b5554ad596956db69b3166649c61e1e48fc1fe0000073fefc0073f8fc0073f8f',
    'f0003f84c3c038e3ce64b331c9b4b4b1da94ab55d5526afa95526afa95526bfa',
  ],
  [
    2,
    256,
    256,
    100,
    '633be633ce331c723c7378f1e1f3c1f207e21fc3ff83ff00f00000020007fff7',
    '366f93679b65492769272da5b4a594a752b54a962ad7aa55a555555555560a32',
  ],
  [
    13,
    256,
    256,
    100,
    'e0070000000001ffe0ff00ffc0ff00fff0ef00fff0ef00fff0ef00fff0ef00ff',
    'b5525555555554aa15aa55aa95ba55aad5b255aa55b255aa15b255aad5b255aa',
  ],
  [
    3,
    512,
    512,
    100,
    'f81df82ff017e016c01f0011001f0000001f0000ffff34bfff7f2affff7f0e3f',
    'ad44bd5da541d555955155555554555555415555aaaa556ab56a7d6a256a576a',
  ],
  [
    14,
    512,
    512,
    100,
    'fe15ff58f6c0fd68ff04fd03f414f981fe04f1e0f400e150f400f878fe00fc18',
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  ],
  [
    4,
    512,
    384,
    100,
    'fc20905f027f8000827f00240000efff0000087f6effdaff6a7f4eff4aff627f',
    'b575c50e552ad555d52a557555553baa5555552a33aa07aa3f2a11aa1f2a372a',
  ],
  [
    15,
    512,
    384,
    100,
    'fff8b007fff8c007ffe88007ebf8e007f7f88807eee84005f578c005f3f84005',
    'aaafab42aaadab42aaada852aaadab52aaada942aaafa042aaadaa42aaafabd2',
  ],
  [
    5,
    300,
    512,
    100,
    '800ff800e000001f0000000affff001fffdf001fffdf101ffe9f5c1fff9f731f',
    '555aad559555554a5555555daaaa554aab4a554aa94a554afd4a554aff4a554a',
  ],
  [
    16,
    300,
    512,
    100,
    '27ad2ea5af52a750a55a854aaeb5aea5aeb5a7aaa7d005558755a6aa45550555',
    'f2aa7aaafa0bfaaaf02ff02ffaa8faa8faa8f2aff2aad000f2aaf2bf00005000',
  ],
  [
    6,
    129,
    200,
    100,
    'da145555ab556aadb529da4964d99b99ce3871f00fc0f80307fbf80307f3f803',
    '5d515000fe003ff8e07c9f1c318dcecc9b6d64a55ad5ad5452aead5652a6ad56',
  ],
  [
    17,
    129,
    200,
    100,
    '4781bf00e001011fe01f171fe81b151fe81b9f1f601a955f6a5b975f681b9d9f',
    '12d6ea55b555544ab54e474abd4e404abd4ecacab54fc00a3f4ec30abd4ecccb',
  ],
  [
    7,
    97,
    61,
    100,
    '5dc6b65a2ce64dce9d623aa8f562824c56d6a19c5f16a82c5556eeadb3f90803',
    '0093e30f79b3189bc8376ffda037d7190383f4c90a43f5590003bff8e6ac5d56',
  ],
  [
    18,
    97,
    61,
    100,
    'b57a77cae018014acfd20fe04fda8d6abf925d6a5552eaa10c07223fcdc7221f',
    'e127329db545551f92875ab51acfd83f62c7083f0007bff45952756a9812774a',
  ],
  [
    9,
    511,
    64,
    100,
    '5555b2aab7d7b2be357f22bf67e562bfe131e08ec07dc000000100000fff4fff',
    '0000e7ffe402e5fd6514754f3515355fb555b55395459555555555555aaa1aaa',
  ],
  [
    20,
    511,
    64,
    100,
    '00007777331819ce08610e1c020255510050000700007ffffffffffffffffffd',
    '555d222276ed4c9b5d34db4957d710945545555e5555aaaaaaaaaaaeaaaaaaa8',
  ],
];

/** Folded planes and steps in whole numbers: the same bytes in every language. */
function paint(seed: number, width: number, height: number): Uint8Array {
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      for (let channel = 0; channel < 3; channel += 1, at += 1) {
        const plane = Math.floor((x * (3 + seed + channel) + y * (2 * seed + 1)) / 2);
        const steps = Math.floor(x / (5 + seed)) * Math.floor(y / (7 + channel)) * 5;
        const level = (plane + ((x * y) >> (3 + (seed % 4))) + steps) % 510;
        rgb[at] = level > 255 ? 510 - level : level;
      }
    }
  }
  return rgb;
}

describe('pdqHash', () => {
  it.each(VECTORS)('is the reference hash, bit by bit, of picture %i of %i x %i pixels', (seed, width, height, quality, hash, mirrored) => {
    expect(pdqHash(paint(seed, width, height), width, height)).toEqual({ hash, mirrored, quality });
  });
});
