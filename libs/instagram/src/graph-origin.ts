import type { LoginFlavour } from './instagram-publisher';

/** Origin of the Graph API in each login flavour, where none is configured. */
export const GRAPH_ORIGIN: Record<LoginFlavour, string> = {
  instagram: 'https://graph.instagram.com',
  facebook: 'https://graph.facebook.com',
};
