const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/**
 * Undoes the escaping of `&`, `<` and `>` that Reddit applies where `raw_json=1` did not take effect. Once only: text that was escaped
 * twice by its author keeps one layer. Signed preview addresses answer 403 unless this is done.
 */
export const decodeEntities = (text: string): string => text.replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity);
