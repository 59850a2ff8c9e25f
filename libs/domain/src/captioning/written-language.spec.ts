import { speaksAnotherLanguage } from './written-language';

describe('speaksAnotherLanguage', () => {
  it.each([
    ['صباح هادئ على البحيرة، ماذا ترى أولاً؟', 'Quiet morning'],
    ['Тихое утро у озера. Что ты видишь?', 'Quiet morning'],
    ['静かな湖の朝。何が見えますか？', 'Quiet morning'],
    ['Ein ruhiger Morgen und der See ist ganz still. Was siehst du auf dem Bild?', 'Quiet morning'],
    ['Ein ruhiger Morgen am See, ganz still. Was siehst du zuerst?', 'Quiet morning'],
    ['Un matin calme dans la brume, avec les arbres et le lac. Que voyez-vous sur la photo ?', 'Quiet morning'],
    ['Una mañana tranquila en el lago, con los árboles y la niebla. ¿Qué es lo primero?', 'Quiet morning'],
    ['Uma manhã calma com as árvores e não há mais ninguém, muito bonita.', 'Quiet morning'],
  ])('finds that %j does not fit %j', (caption, material) => {
    expect(speaksAnotherLanguage(caption, material)).toBe(true);
  });

  it.each([
    ['A quiet morning by the lake. What do you see first?', 'Quiet morning'],
    ['A quiet morning by the lake. What do you see first?', '静かな湖'],
    ['静かな湖の朝。何が見えますか？', '静かな湖'],
    ['Ein ruhiger Morgen und der See ist ganz still.', 'Der See ist heute ganz still'],
    ['El Capitan at sunrise, Yosemite. What a view from the valley!', 'El Capitan'],
    ['Die Hard is on tonight, and this cat is not having it.', 'Movie night'],
    ['Café in Le Marais, Paris.', 'Paris'],
    ['東京 in the rain: lights, umbrellas and a quiet street.', 'Tokyo'],
    ['🦊❄️', 'Fox'],
    ['', ''],
  ])('finds nothing in %j for %j', (caption, material) => {
    expect(speaksAnotherLanguage(caption, material)).toBe(false);
  });
});
