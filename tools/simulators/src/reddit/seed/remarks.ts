export const REMARK_AUTHORS = [
  'maple_static',
  'tiny_lantern',
  'northbound_kel',
  'OrbitalBreakfast',
  'plainoldmoss',
  'sevenfoldpaper',
  'kitchen_comet',
] as const;

export const REMARKS = [
  'I could watch this for an hour and call it therapy.',
  'The sound at the end is the best part.',
  'Somebody give this person a raise.',
  'My brain just did a little happy stretch.',
  'Where was this taken? I need to go there & stay there.',
  'I did not expect it to fit. It fit.',
  'This is the calmest thing I have seen all week.',
  'Ten out of ten, would scroll back up again.',
  'The colours look edited until you have stood there yourself.',
  'Look at those paws > everything else today.',
  'I showed this to my dog and now we are both confused.',
  'Perfect loop, took me three rounds to notice.',
  'How many attempts did this take?',
  'Saved for the next bad day.',
  'The light in the second half is unreal.',
  'I have the same one at home and it never does this.',
] as const;
