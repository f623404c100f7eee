import type { Language } from '../lexicon.ts';

export const german: Language = {
  question:
    'wer organisiert|wer veranstaltet|wer kaufte|wer hat gekauft|was|welche|welcher|welches|welchen|welchem|wo|wann|wie|wie viel|wie viele|wieviel|wieviele|warum|ist|sind|war|waren|wird|werden|wurde|wurden|hat|haben|hatte|gibt es|gibt|gab es|gab|kann|konnen|zeige|zeig|zeige mir|zeig mir|liste|nenne|nenne mir|finde|suche|such|suche nach|ich suche|ich brauche|ich mochte|bitte|exportiere|als csv|csv|als tabelle|erzahl mir|informationen uber|infos uber|weisst du|noch aktiv|immer noch aktiv',
  empty:
    'genau|bisher|bislang|insgesamt|bis heute|oft|haufig|rund um|durchschnitt|durchschnittlich|durchschnittliche|summe|gesamtsumme|gesamtbetrag|der|die|das|den|dem|des|ein|eine|einen|einem|einer|eines|zu|zum|zur|mit|fur|als|auch|so|sehr|nur|noch|schon|mehr|alle|alles|allen|einige|viele|es|sie|er|ich|wir|ihr|mir|uns|sich|dass|dieser|diese|dieses|diesen|uber|ihre|sein|seine|da|dort|dann|geld|kapital|finanzierung|finanzierungen|gesamt|insgesamt|summe|betrag|wert|dollar|name|namen|namens|derzeit|aktuell|zurzeit|jetzt|kurzlich|besten|wichtigsten|investierten|investierte|neue|neuen|grosse|fokus|spezialisiert|tatig|bereich|branche|markt|stattfinden|findet statt|finden statt|statt|anzahl|zahl|krypto|aber|jedoch|sondern|investition|investment',
  companies:
    'firma|firmen|unternehmen|startup|startups|gesellschaft|gesellschaften|projekt|projekte|projekten|protokoll|protokolle|betrieb|betriebe|organisation|organisationen|plattformen|anbieter',
  people:
    'person|personen|leute|menschen|grunder|grundern|grunderin|mitgrunder|mitgrundern|sprecher|redner|referent|referenten|mitarbeitende|grunder von|mitgrunder von|grunder der|mitarbeiter von|team von|team bei',
  investors:
    'investor von|investor bei|investor|investoren|investors|geldgeber|fonds|kapitalgeber|risikokapitalgeber|wagniskapitalgeber|vc|vcs|risikokapital|wagniskapital|investoren von|investoren in|investoren bei|geldgeber von',
  events:
    'veranstaltung|veranstaltungen|konferenz|konferenzen|kongress|kongresse|treffen|gipfel|event|events|messe|messen',
  rounds:
    'scheckgrosse|ticketgrosse|ticket|rundengrosse|rundengrossen|runde|runden|finanzierungsrunde|finanzierungsrunden|investitionsrunde|investitionsrunden|finanzierungsrunden',
  largest:
    'top|grossten|grosste|grosster|aktivsten|aktivste|meisten|am meisten|meisten investitionen|meisten runden|bestfinanzierten|bestfinanzierte|meistfinanzierten|am besten finanzierten|am meisten finanzierten',
  deals: 'meisten investitionen|meisten runden',
  smallest: 'kleinste|kleinsten|kleinster|kleinstes|niedrigste',
  oldest: 'alteste|altesten|altester|fruheste|fruhesten',
  youngest: 'jungste|jungsten|neueste|neuesten',
  latest: 'neuesten|neueste|jungsten|jungste',
  who: 'wer|wen|wem|wessen',
  in: 'in|im|sitzen in|sitzt in|sitzen im|sitzt im|in der|in den|bei|mit sitz in|ansassig in|sitz in|beim',
  from: 'aus|von|ab|vom',
  to: 'bis|bis zum|bis zu',
  on: 'auf|auf der|auf dem',
  by: 'von|durch',
  and: 'und|sowie|samt',
  or: 'oder',
  excluded: 'ausgenommen|ausgeschlossen|nicht mitgerechnet|nicht eingerechnet',
  not: 'nicht|nicht in|ausser|ausserhalb von|nicht aus|ausserhalb',
  angels: 'business angel|business angels|angel investoren',
  lacking: 'ohne|kein|keine|keinen|nie',
  condition: 'gehackt|gehackte|gehackten|auditierte|auditierten|profitable|profitablen',
  unstated:
    'scheckgrosse|ticketgrosse|ticket|wer organisiert|wer veranstaltet|wer kaufte|wer hat gekauft|sponsoren|sponsor|sponsoren von|sponsoren der|veranstalter von|veranstalter der|umsatz|umsatzen|gewinn|marktkapitalisierung|preis von|kurs von',
  listed:
    'borsennotiert|borsennotierte|borsennotierten|an der borse|an die borse|an die borse gegangen|an die borse gingen|borsengang|borsengange',
  unrecorded:
    'organisiert von|veranstaltet von|ausgerichtet von|gesponsert von|gepruft von|studierten an|studiert an|studiert haben an|absolventen von|absolventen der',
  valued: 'bewertung|bewertungen|bewertet|bewertet mit|einhorner',
  quiet: 'seitdem nichts|seitdem nicht|seither nichts|danach nichts|seitdem keine|nichts mehr',
  led: 'angefuhrt von|gefuhrt von|geleitet von|angefuhrt|unter fuhrung von|angefuhrt hat|angefuhrt haben|anfuhrte|anfuhrten|angefuhrte|angefuhrten|gefuhrte|gefuhrten',
  backed:
    'finanziert von|unterstutzt von|gefordert von|im portfolio von|portfolio von|mit geld von|finanziert durch|portfolio',
  backs:
    'investor von|investor bei|finanziert|finanziert hat|finanzierte|unterstutzt|investiert in|investierten in|investieren in|investierte in|hat in|haben in|investoren von|investoren in|investoren bei|geldgeber von|investiert',
  founds:
    'gegrundet|grundete|grundeten|gestartet|grunder von|mitgrunder von|gegrundete|gegrundeten|gegrundet wurden|grunder der',
  foundedBy: 'gegrundet von|gegrundet durch|gestartet von',
  works: 'arbeitet bei|arbeiten bei|arbeitete bei|arbeitet fur|arbeiten fur|mitarbeiter von|team von|gearbeitet bei',
  raised:
    'eingesammelt|aufgenommen|erhalten|bekommen|eingeworben|sammelten|sammelte|einsammelten|geld eingesammelt|geld aufgenommen|geraist|gesammelt|gemacht|abgeschlossen|eingesammelt haben|eingesammelt hat',
  lastRound: 'deren letzte runde|letzte runde war|letzte finanzierungsrunde war',
  held: 'stattfindend',
  upcoming: 'geplant|geplante|bevorstehend|bevorstehende',
  common: 'gemeinsam|gemeinsame|gemeinsamen',
  coInvestors:
    'co investor|co investoren|coinvestor|coinvestoren|mitinvestor|mitinvestoren|co investoren von|investiert mit|investieren mit|investierten mit|zusammen mit investiert|gemeinsam mit investiert',
  funding: 'finanzierung|finanzierungen|finanzierungsvolumen',
  speaks: 'spricht|sprechen|sprach|spricht auf|sprechen auf|spricht bei|sprechen bei|tritt auf',
  titles:
    'ingenieur|ingenieure|forscher|wer leitet|geschaftsfuhrer|geschaftsfuhrerin|vorstandsvorsitzender|vorstandsvorsitzende',
  per: 'pro|je|nach|jahrlich|vierteljahrlich|monatlich',
  connected: 'verbunden|verbindet|verbindung zwischen|beziehung zwischen',
  versus: 'vergleiche|vergleich|vergleichen|verglichen|unterschied|unterschied zwischen|unterschiede zwischen',
  likeness: 'ahnlich|ahnliche|alternative|alternativen|konkurrent|konkurrenten|wettbewerber|mitbewerber',
  lastUpdated: 'zuletzt aktualisiert|zuletzt aktualisierte|kurzlich aktualisiert|kurzlich aktualisierte',
  updated: 'aktualisiert|geandert',
  employees:
    'anzahl der mitarbeiter|anzahl der mitarbeiter von|anzahl mitarbeiter|mitarbeiter|mitarbeitern|beschaftigte|beschaftigten|angestellte|angestellten',
  investments: 'investitionen|investments|beteiligungen|investition|investment',
  over: 'mehr als|uber',
  min: 'mindestens|wenigstens|ab',
  under: 'weniger als|unter',
  max: 'hochstens|maximal|bis zu',
  around: 'etwa|ungefahr|rund|circa|ca|um die|~',
  between: 'zwischen',
  after: 'nach|spater als|nach dem',
  since: 'seit|ab|seit dem',
  before: 'vor|fruher als|vor dem',
  until: 'bis ende|bis einschliesslich',
  orMore: 'oder mehr|und mehr|oder spater|und spater|oder danach',
  orLess: 'oder weniger|oder fruher',
  last: 'letzte|letzten|letztes|letzter|letztem|vergangene|vergangenen|vergangenes|voriges|vorigen|vorige',
  this: 'dieses|diesen|diesem|diese|dieser|laufenden|aktuellen',
  next: 'nachste|nachsten|nachstes|nachster|kommende|kommenden|kommendes',
  year: 'jahr|jahre|jahren|jahres',
  quarter: 'quartal|quartale|quartals|quartalen',
  half: 'halbjahr|halbjahres|jahreshalfte',
  month: 'monat|monate|monaten|monats',
  week: 'woche|wochen',
  day: 'tag|tage|tagen',
  ago: 'gestern|morgen|vor zwei|vor drei|vor einem|vor einer',
  thousand: 'tsd|tausend',
  million: 'mio|million|millionen',
  billion: 'mrd|milliarde|milliarden',
  currency: 'dollar|us dollar|usd',
  months: 'januar,janner|februar|marz|april|mai|juni|juli|august|september|oktober|november|dezember',
  groups:
    'jahr,jahre,jahren,jahrlich|quartal,quartale,quartalen,vierteljahrlich|monat,monate,monaten,monatlich|land,lander,landern|stadt,stadte,stadten|phase,phasen|sektor,sektoren,branche,branchen,kategorie,kategorien,bereich,bereiche,bereichen|kette,ketten,blockchain,blockchains,netzwerk,netzwerke,netzwerken|investor,investoren|leadinvestor,leadinvestoren|firma,firmen,unternehmen|organisation,arbeitgeber|art der veranstaltung|art des investors|grundungsjahr,grundungsjahren|typ,typen,art,arten|status',
  numbers: 'ein,eine,einen,einem,einer,einzige,einzigen|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf',
  ordinals: 'erste,ersten,erstes|zweite,zweiten,zweites|dritte,dritten,drittes|vierte,vierten,viertes',
  thirds: 'anfang|mitte|ende',
  seasons: 'fruhling,fruhjahr|sommer|herbst',
};
