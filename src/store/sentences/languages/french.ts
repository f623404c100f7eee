import type { Language } from '../lexicon.ts';

export const french: Language = {
  question:
    "qui organise|qui a achete|qui a rachete|que|quoi|quel|quelle|quels|quelles|ou se trouve|ou sont|quand|comment|combien|combien de|pourquoi|est|sont|etait|etaient|a t il|a t elle|ont|est ce que|qu'est ce que|montre|montre moi|montrez|montrez moi|liste|listez|donne|donne moi|donnez moi|cherche|je cherche|chercher|trouve|trouve moi|trouver|trouvez|je veux|je voudrais|j'ai besoin|j'ai besoin de|s'il vous plait|svp|exporte|exporter|exportez|en csv|csv|dis moi|parle moi|informations sur|connais tu|ete|a t elle ete|a t il ete|est elle encore active|est il encore actif|encore active|encore actif|toujours active|toujours actif",
  empty:
    'exactement|a t il|a t elle|fait|a fait|ont fait|ayant|seulement|jusqua present|jusquici|a ce jour|au total|souvent|frequemment|moyenne|moyen|mediane|montant moyen|le|la|les|l|un|une|des|du|d|au|aux|et de|ce|cet|cette|ces|se|s|son|sa|ses|leur|leurs|qui|que|qu|dont|ou|il|elle|ils|elles|je|j|nous|vous|me|m|moi|ne|n|plus|tres|tout|tous|toute|toutes|avec|pour|comme|mais|y|c|argent|fonds leves|financement|financements|capitaux|capital|total|montant|somme|valeur|dollars|nom|noms|actuellement|maintenant|recemment|meilleurs|meilleures|principaux|principales|nouveaux|nouvelles|derniers temps|specialises|specialisees|secteur|industrie|marche|nombre|crypto|ont lieu|aura lieu|auront lieu|lieu|taille|median|tailles|investissement',
  companies:
    'entreprise|entreprises|societe|societes|startup|startups|jeune pousse|jeunes pousses|projet|projets|protocole|protocoles|compagnie|compagnies|organisation|organisations|plateformes|fournisseurs|emetteurs',
  people:
    'personne|personnes|gens|fondateur|fondateurs|fondatrice|fondatrices|cofondateur|cofondateurs|cofondatrice|intervenant|intervenants|orateur|orateurs|dirigeant|dirigeants|fondateur de|fondateurs de|cofondateur de|cofondateurs de|employes de|equipe de',
  investors:
    "investisseur de|investisseur dans|societe d'investissement|societes d'investissement|investisseur|investisseurs|investisseuse|fonds|fonds d'investissement|fonds de capital risque|capital risque|capital risqueur|capital risqueurs|bailleur|bailleurs|investisseurs de|investisseurs dans|investisseurs chez",
  events: 'evenement|evenements|conference|conferences|sommet|sommets|rencontre|rencontres|congres|salon|salons',
  rounds:
    'ticket|tickets|ticket moyen|tour|tours|tour de table|tours de table|levee|levees|levee de fonds|levees de fonds|tour de financement|tours de financement',
  largest:
    "leve le plus|a leve le plus|ont leve le plus|top|plus grands|plus grandes|plus grand|plus grande|plus gros|plus grosses|plus actifs|plus actives|plus d'investissements|plus financee|plus financees|plus finances|mieux financees|mieux finances",
  deals: "plus d'investissements",
  smallest: 'plus petit|plus petite|plus petits|plus petites',
  oldest: 'plus ancien|plus ancienne|plus anciens|plus anciennes',
  youngest: 'plus jeunes|plus recentes|plus recents',
  latest: 'plus recents|plus recentes|plus recent|plus recente',
  who: 'qui|qui a|qui ont|qui est|qui sont|qui a finance|qui a soutenu|qui a investi dans',
  in: 'en|dans|a|au|aux|basees a|bases a|basee a|base a|situees a|basees en|bases en|basees au|dont le siege est a|chez',
  from: 'de|depuis|des|du|a partir de',
  to: 'a|au|jusqua|jusque',
  on: 'sur|sur la|sur le',
  by: 'par',
  and: 'et|ainsi que',
  or: 'ou',
  excluded: 'mis a part|mises a part|exclu|exclus|exclue|exclues|non compris|non comprises',
  not: 'hormis|excluant|en excluant|sans compter|pas|hors|hors de|sauf|excepte|pas en|en dehors de',
  angels: 'business angel|business angels|investisseurs providentiels',
  lacking: 'sans|aucun|aucune|jamais',
  condition: 'pirate|pirates|piratee|piratees|audite|audites|auditee|auditees|rentables',
  unstated:
    "ticket|ticket moyen|tickets|qui organise|qui a achete|qui a rachete|sponsors|sponsors de|organisateur de|organisateurs de|chiffre d'affaires|revenus|benefices|capitalisation boursiere|prix du|prix de",
  listed:
    'cotees|cotes|cotee|cotees en bourse|cote en bourse|cotee en bourse|en bourse|entrees en bourse|introduites en bourse|introduction en bourse|introductions en bourse',
  unrecorded:
    'organise par|organises par|organisee par|organisees par|sponsorise par|sponsorises par|auditees par|audites par|etudie a|ont etudie a|a etudie a|diplomes de|diplome de',
  valued: 'valorisation|valorisations|valorisees|valorisees a|licornes',
  quiet: 'rien depuis|plus rien|rien apres|plus rien depuis',
  led: 'a mene|ont mene|a dirige|ont dirige|mene|dirige|mene par|menes par|menee par|menees par|dirige par|dirigee par|dirigees par|pilote par|conduit par|conduite par',
  backed:
    'soutenu par|soutenus par|soutenue par|soutenues par|finance par|finances par|financee par|financees par|dans le portefeuille de|portefeuille de',
  backs:
    'investisseur de|investisseur dans|investi dans|investit dans|investissent dans|ont investi dans|a investi dans|participe a|participe au|participe aux|ont participe a|ont participe au|a participe a|a participe au|investisseurs de|investisseurs dans|investisseurs chez|ont finance|ont soutenu|ont investi|a investi|investi|investit|qui a finance|qui a soutenu|qui a investi dans',
  founds:
    'fonde|fondes|fondee|fondees|cree|crees|creee|creees|fondateur de|fondateurs de|cofondateur de|cofondateurs de|a fonde|ont fonde|lance|lancees',
  foundedBy: 'fonde par|fondee par|fondees par|fondes par|cree par|creee par|creees par|crees par',
  works:
    'travaille chez|travaillent chez|travaille pour|travaillent pour|a travaille chez|employes de|equipe de|travaille a',
  raised:
    'a ete leve|a ete levee|ont ete leves|ont ete levees|leve le plus|a leve le plus|ont leve le plus|leve|ont leve|a leve|recolte|ont recolte|levent|obtenu|recu',
  lastRound: 'dont le dernier tour|dernier tour etait',
  held: 'prevus|prevues',
  upcoming: 'a venir',
  common: 'communs|en commun|partagent',
  coInvestors:
    'co investisseur|co investisseurs|coinvestisseur|coinvestisseurs|co investisseurs de|investit avec|investissent avec|investi avec|co investit avec|investi aux cotes de|investissent aux cotes de|investit aux cotes de',
  funding: 'financement|financements|capital',
  speaks: 'parle|parlent|parle a|parlent a|intervient|interviennent|intervient a|interviennent a|prend la parole',
  titles: 'ingenieur|ingenieurs|chercheur|chercheurs|qui dirige|pdg|directeur general|directrice generale',
  per: 'par|annuel|annuels|trimestriel|mensuel',
  connected: 'relie|relies|connexion entre|lien entre|liens entre|chemin entre',
  versus: 'comparer|compare|comparez|comparaison|difference|difference entre|differences entre',
  likeness: 'similaire|similaires|alternative|alternatives|concurrent|concurrents',
  lastUpdated: 'mis a jour recemment|mises a jour recemment|recemment mis a jour|recemment mises a jour',
  updated: 'mis a jour|mises a jour|mise a jour|modifies',
  employees: "nombre d'employes|nombre d'employes de|employes|salaries|collaborateurs",
  investments: 'investissements|investissement',
  over: 'plus de|superieur a|superieurs a|superieures a',
  min: 'au moins|au minimum|minimum',
  under: 'moins de|inferieur a|inferieurs a|inferieures a',
  max: 'au plus|au maximum|maximum',
  around: 'environ|autour de|aux alentours de|a peu pres|~',
  between: 'entre',
  after: 'apres|posterieur a',
  since: 'depuis|a partir de|des',
  before: 'avant|anterieur a',
  until: 'jusqua fin|jusquen|jusqua la fin de',
  orMore: 'ou plus|et plus|ou apres',
  orLess: 'ou moins|ou avant',
  last: 'dernier|derniere|derniers|dernieres|passe|passee',
  this: 'cette|ce|cet|en cours',
  next: 'prochain|prochaine|prochains|prochaines',
  year: 'an|ans|annee|annees',
  quarter: 'trimestre|trimestres',
  half: 'semestre|semestres',
  month: 'mois',
  week: 'semaine|semaines',
  day: 'jour|jours',
  ago: 'il y a|hier|demain',
  thousand: 'mille',
  million: 'million|millions',
  billion: 'milliard|milliards|md|mds',
  currency: 'dollars|dollar|usd',
  months: 'janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre',
  groups:
    "an,annee,annees,annuel,annuels|trimestre,trimestres,trimestriel|mois,mensuel|pays|ville,villes|stade,stades,etape,etapes|secteur,secteurs,categorie,categories,domaine,domaines|chaine,chaines,blockchain,blockchains,reseau,reseaux|investisseur,investisseurs|investisseur principal|entreprise,entreprises,societe,societes|organisation,employeur|type d'evenement|type d'investisseur|annee de creation,annee de fondation|type,types|statut,statuts",
  numbers: 'un,une,seul,seule|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze',
  ordinals: 'premier,1er|deuxieme,second|troisieme|quatrieme',
  thirds: 'debut|mi,milieu|fin',
  seasons: 'printemps|ete|automne',
};
