import type { SceneName } from '../../media/scenes';
import type { PostSeed } from '../reddit-content';

type Content = PostSeed['content'];
type VideoSeed = Extract<Content, { type: 'video' }>;
type ImageSeed = Extract<Content, { type: 'image' }>;

/** Shorthands for videos and pictures of common sizes. */
const video =
  (width: number, height: number) =>
  (scene: SceneName, seconds = 6, more: Partial<VideoSeed> = {}): VideoSeed => ({ type: 'video', scene, width, height, seconds, ...more });

export const portrait = video(720, 1280);
export const landscape = video(1280, 720);
export const square = video(720, 720);

export function image(scene: SceneName, width = 1080, height = 1350, more: Partial<ImageSeed> = {}): ImageSeed {
  return { type: 'image', scene, width, height, ...more };
}

function gallery(...scenes: SceneName[]): Content {
  return { type: 'gallery', items: scenes.map((scene) => image(scene, 1080, 1080)) };
}

export function words(body: string): Content {
  return { type: 'text', body };
}

type Numbers = readonly [score: number, ratio: number, ageHours: number, comments?: number];

function post(title: string, author: string, content: Content, [score, ratio, ageHours, comments = 6]: Numbers): PostSeed {
  return { title, author, content, score, ratio, ageHours, comments };
}

export const ODDLY_SATISFYING: readonly PostSeed[] = [
  post('Pouring two paints until they decide to share the canvas', 'slowpour_studio', portrait('paint', 7), [18_422, 0.97, 5, 38]),
  post('A spinning bowl getting its last ring of glaze', 'kilnkeeper', square('rosette', 6), [9_310, 0.98, 9, 24]),
  post('Floor tiles that only line up once you turn every second one', 'groutfully_yours', portrait('tiles', 6), [7_604, 0.95, 12, 19]),
  post('Out-of-focus fairy lights, slowly brought into line', 'bokeh_bandit', portrait('lights', 8), [5_127, 0.96, 3, 12]),
  post('Ink dropped into moving water & filmed from above', 'slowpour_studio', landscape('paint', 6), [4_488, 0.94, 16, 14]),
  post(
    'The lathe finds the centre and everything goes quiet',
    'shavings_everywhere',
    portrait('rosette', 5, { sound: false }),
    [3_902, 0.97, 7, 9],
  ),
  post('Every tile of the station wall, photographed straight on', 'groutfully_yours', image('tiles', 1080, 1350), [2_811, 0.93, 6]),
  post('Six bowls, six glazes, one afternoon', 'kilnkeeper', gallery('rosette', 'paint', 'rosette', 'tiles'), [2_266, 0.96, 11]),
  { ...post('Weekly thread: what satisfied you this week?', 'oddly_mods', words('Tell us below.'), [96, 0.96, 30]), stickied: true },
  post(
    'Is there a word for the click of a well made drawer?',
    'hinge_poet',
    words('Asking for a friend who makes drawers.'),
    [640, 0.96, 10],
  ),
  post('First try at marbling paper, be kind', 'newsheet', portrait('paint', 5), [0, 0.41, 2, 2]),
  post('Same machine, three days later, still going', 'shavings_everywhere', landscape('rosette', 6), [11_930, 0.98, 74, 40]),
];

export const EARTH: readonly PostSeed[] = [
  post('Five ridges deep, ten minutes after sunrise [OC]', 'ridgewalker', portrait('hills', 7), [14_075, 0.98, 6, 31]),
  post('The sea an hour before the storm reached us [OC]', 'saltandtripod', landscape('sea', 8), [8_832, 0.97, 8, 22]),
  post('Evening light over the outer islands [OC]', 'saltandtripod', portrait('sea', 6), [6_240, 0.96, 13, 11]),
  post('Moonrise, and the valley fills with fog [OC]', 'ridgewalker', square('hills', 6), [4_511, 0.97, 4, 9]),
  post('A calm bay & a red sky, nothing else [OC]', 'lowtide_lin', portrait('sea', 5, { generation: '2023' }), [3_120, 0.95, 18, 7]),
  post('The pass is open again [OC] [1080x1350]', 'ridgewalker', image('hills', 1080, 1350), [9_987, 0.98, 7]),
  post('Looking back from the last hut [OC] [1440x810]', 'hutbook', image('hills', 1440, 810), [5_444, 0.96, 15]),
  post('Four mornings on the same shore [OC]', 'lowtide_lin', gallery('sea', 'sea', 'sea', 'sea'), [3_871, 0.97, 10]),
  { ...post('Monthly reminder: resolution and [OC] go into the title', 'earth_mods', words('Thank you.'), [41, 0.96, 50]), stickied: true },
  post('Somewhere over the northern range, from the window seat', 'aisle_seat', landscape('hills', 5), [12, 0.61, 23, 1]),
  post('Last winter from the same ridge [OC]', 'ridgewalker', portrait('hills', 6, { generation: '2020' }), [20_418, 0.98, 140, 50]),
  post('City at the edge of the sea [OC]', 'ferryman', portrait('skyline', 6), [1_905, 0.88, 20, 5]),
];

export const AWW: readonly PostSeed[] = [
  post('She heard the treat bag from two rooms away', 'sofa_with_paws', portrait('animal', 6), [22_760, 0.98, 4, 45]),
  post('He has never lost a staring contest', 'biscuit_manager', square('animal', 5), [12_303, 0.97, 7, 28]),
  post(
    'Adopted this morning, already owns the armchair',
    'sofa_with_paws',
    portrait('animal', 7, { generation: '2023' }),
    [8_017, 0.99, 11, 33],
  ),
  post('Our shop cat greets every customer <3', 'cornershop_cat', landscape('animal', 6), [6_655, 0.97, 14, 17]),
  post('First snow, first zoomies, first nap', 'biscuit_manager', portrait('animal', 8), [5_209, 0.98, 2, 13]),
  post(
    'Waiting for me at the window every single evening',
    'late_shift_lou',
    portrait('animal', 5, { sound: false }),
    [3_718, 0.96, 19, 8],
  ),
  post('Portrait of a very serious gentleman', 'cornershop_cat', image('animal', 1080, 1080), [7_420, 0.98, 9]),
  post('A month of naps, in order of silliness', 'late_shift_lou', gallery('animal', 'animal', 'animal'), [4_102, 0.97, 12]),
  { ...post('Rules update: no sad titles, please', 'aww_mods', words('You know why.'), [77, 0.96, 90]), stickied: true },
  post('What do you call a cat with three names?', 'sofa_with_paws', words('We settled on a fourth.'), [512, 0.96, 8]),
  post('My blurry potato of a puppy', 'newcamera', landscape('animal', 5), [0, 0.5, 5, 1]),
  post('Ten weeks old and already in charge', 'biscuit_manager', portrait('animal', 6), [31_554, 0.99, 52, 60]),
];
