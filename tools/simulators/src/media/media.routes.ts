import { type SimResponse, empty, file, get, html, redirect, type Route, type SimRequest, text } from '../server/http';
import { dashManifest, hlsPlaylist, ladderOf, NAMINGS } from './dash';
import { PICTURE_TYPES, type PictureRecipe, type MediaGenerator } from './media-generator';
import { type MediaLibrary, previewSignature, type StoredVideo } from './media-library';

const DENIED =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message><RequestId>SIM0000000000000</RequestId></Error>';

/**
 * One origin serves all media hosts; the first path segment is the simulated host: `/v.redd.it/…`, `/i.redd.it/…`,
 * `/preview.redd.it/…`, `/i.imgur.com/…` and `/scontent/…`.
 */
export function mediaRoutes(library: MediaLibrary, generator: MediaGenerator): Route[] {
  return [
    get('/v.redd.it/:video', ({ params }) => redirect(302, `https://www.reddit.com/video/${params.video}`)),
    get('/v.redd.it/:video/:piece', ({ params }) => videoPiece(library, generator, params.video ?? '', params.piece ?? '')),
    get('/i.redd.it/:name', (request) => original(library, generator, request)),
    ...['preview', 'external-preview'].map((host) => get(`/${host}.redd.it/:name`, (request) => preview(library, generator, request))),
    get('/i.imgur.com/:name', (request) => imgur(library, generator, request)),
    get('/scontent/:name', ({ params }) => finished(library, generator, params.name ?? '')),
  ];
}

function denied(): SimResponse {
  return { status: 403, headers: { 'content-type': 'application/xml' }, body: DENIED };
}

async function videoPiece(library: MediaLibrary, generator: MediaGenerator, id: string, piece: string): Promise<SimResponse> {
  const video = library.find('video', id);
  if (!video) return denied();
  const { recipe, generation } = video;
  if (piece === 'DASHPlaylist.mpd') return manifestOf(video);
  if (piece === 'HLSPlaylist.m3u8') return text(200, hlsPlaylist(recipe, generation), { 'content-type': 'application/vnd.apple.mpegurl' });
  const path = await pieceFile(generator, video, piece);
  return path ? file(path, 'video/mp4') : denied();
}

function manifestOf({ recipe, generation, manifest }: StoredVideo): SimResponse {
  if (manifest === 'missing') return denied();
  if (manifest === 'page') return html(200, '<!doctype html><title>Blocked</title><h1>Try again later</h1>');
  const whole = dashManifest(recipe, generation);
  return text(200, manifest === 'cut' ? whole.slice(0, whole.length / 2) : whole, { 'content-type': 'application/dash+xml' });
}

function pieceFile(generator: MediaGenerator, { recipe, generation }: StoredVideo, piece: string): Promise<string> | null {
  const sound = recipe.sound ? NAMINGS[generation].sound.find((track) => track.name === piece) : undefined;
  if (sound) return generator.soundTrack(recipe, sound.kilobits);
  // The scrubber video has the label 96 in every naming scheme.
  if (/^(DASH|CMAF)_96(\.mp4)?$/.test(piece)) return generator.videoTrack(recipe, 96);
  const rung = ladderOf(generation, recipe.width, recipe.height).find((candidate) => candidate.file === piece);
  return rung ? generator.videoTrack(recipe, rung.height) : null;
}

async function original(library: MediaLibrary, generator: MediaGenerator, { params, behaviours }: SimRequest): Promise<SimResponse> {
  const name = params.name ?? '';
  if (behaviours.has('removed-picture')) return file(await generator.picture(REMOVED_CARD), 'image/png');
  const recipe = library.find('picture', name);
  if (!recipe) return html(404, '<!doctype html><title>404 Not Found</title><h1>Not Found</h1>');
  return file(await generator.picture(recipe), PICTURE_TYPES[recipe.format]);
}

async function preview(library: MediaLibrary, generator: MediaGenerator, { params, query }: SimRequest): Promise<SimResponse> {
  const name = params.name ?? '';
  const recipe = library.find('picture', name);
  if (!recipe || query.get('s') !== previewSignature(name, query)) return denied();
  if (query.get('format') === 'mp4') return file(await generator.pictureAsVideo(recipe), 'video/mp4');
  const sized = scaled(recipe, Number(query.get('width') ?? recipe.width));
  return file(await generator.picture(sized), PICTURE_TYPES[sized.format]);
}

function scaled(recipe: PictureRecipe, width: number): PictureRecipe {
  if (!Number.isInteger(width) || width <= 0 || width >= recipe.width) return recipe;
  return { ...recipe, width, height: Math.max(2, Math.round((recipe.height * width) / recipe.width)) };
}

/** `.gifv` is an HTML page with the `.mp4` of the same name; removed files redirect to a placeholder picture. */
async function imgur(library: MediaLibrary, generator: MediaGenerator, { params, origin }: SimRequest): Promise<SimResponse> {
  const name = params.name ?? '';
  if (name === 'removed.png') return file(await generator.picture(REMOVED_CARD), 'image/png');
  const recipe = library.find('picture', name.replace(/\.(gifv|mp4)$/, '.gif'));
  if (!recipe) return empty(302, { location: `${origin}/i.imgur.com/removed.png` });
  if (name.endsWith('.mp4')) return file(await generator.pictureAsVideo(recipe), 'video/mp4');
  if (name.endsWith('.gifv'))
    return html(200, `<video src="${origin}/i.imgur.com/${name.replace('.gifv', '.mp4')}" autoplay loop muted></video>`);
  return file(await generator.picture(recipe), PICTURE_TYPES[recipe.format]);
}

const REMOVED_CARD: PictureRecipe = { scene: 'tiles', seed: 'removed', width: 161, height: 81, format: 'png' };

/** Instagram's CDN: published files, and the videos and pictures of other accounts. */
async function finished(library: MediaLibrary, generator: MediaGenerator, name: string): Promise<SimResponse> {
  const stored = library.find('file', name);
  if (stored) return file(stored.path, stored.contentType);
  const clip = library.find('clip', name);
  if (clip) return file(await generator.muxed(clip), 'video/mp4');
  const picture = library.find('picture', name);
  return picture ? file(await generator.picture(picture), PICTURE_TYPES[picture.format]) : text(403, 'URL signature expired');
}
