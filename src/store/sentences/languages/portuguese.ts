import type { Language } from '../lexicon.ts';

/** Contractions are phrases of their own: `no` is `in the`, which Spanish reads as a negation. */
export const portuguese: Language = {
  question:
    'quem organiza|quem comprou|quem adquiriu|que|qual|quais|onde|quando|como|quanto|quanta|quantos|quantas|por que|sao|era|eram|foi|foram|esta|estao|existem|tem|mostre|mostra|mostre me|mostrar|liste|lista|listar|me de|me diga|busque|buscar|procuro|encontre|encontrar|quero|preciso|por favor|exporte|exportar|baixar|em csv|csv|fale sobre|informacoes sobre|houve|ainda ativa|ainda ativo|ainda esta ativa',
  empty:
    'exatamente|apenas|somente|ate hoje|ate agora|no total|frequentemente|muitas vezes|media|mediana|soma|o|a|as|os|um|uma|uns|umas|ao|aos|do|da|dos|das|que|se|seu|sua|seus|suas|me|nos|lhe|com|para|como|mas|mais|muito|todo|todos|toda|todas|este|estes|esta|estas|esse|essa|esses|essas|sobre|total|dinheiro|financiamento|capital|captacao|dolares|montante|quantidade|valor|nome|nomes|atualmente|agora|recentemente|melhores|principais|novos|novas|focadas|focados|dedicadas|dedicados|relacionadas|setor|industria|mercado|acordos|numero|numeros|cripto|investimento|mediano',
  companies:
    'empresa|empresas|companhia|companhias|projeto|projetos|protocolo|protocolos|startup|startups|negocio|negocios|organizacao|organizacoes|plataformas|provedores|emissores',
  people:
    'pessoa|pessoas|fundador|fundadores|fundadora|fundadoras|cofundador|cofundadores|cofundadora|palestrante|palestrantes|orador|oradores|dirigentes|fundador de|fundadores de|fundadores da|fundadores do|cofundadores da|funcionarios da|equipe da|equipe do',
  investors:
    'investidor de|investidor da|investidor do|investidor em|investidor|investidores|investidora|investidoras|fundo|fundos|fundo de investimento|fundos de investimento|fundos de capital de risco|capital de risco|gestoras|investidores em|investidores de|investidores da|investidores do|investidores em comum',
  events: 'evento|eventos|conferencia|conferencias|cupula|cupulas|encontro|encontros|congresso|congressos',
  rounds:
    'ticket|ticket medio|cheque|cheques|cheque medio|rodada|rodadas|ronda|rondas|rodada de financiamento|rodadas de financiamento|rodada de investimento|rodadas de investimento|rodada de captacao|rodadas de captacao',
  largest:
    'mais captou|mais captaram|mais levantou|mais levantaram|top|maiores|maior|mais ativos|mais ativas|mais investimentos|mais rodadas|mais financiadas|mais financiados|melhor financiadas',
  deals: 'mais investimentos|mais rodadas',
  smallest: 'menor|menores',
  oldest: 'mais antigo|mais antiga|mais antigos|mais antigas',
  youngest: 'mais jovens|mais novas|mais novos',
  latest: 'mais recentes|mais recente',
  who: 'quem',
  in: 'em|no|na|nos|nas|com sede em|com sede no|com sede na|sediadas em|sediadas no|sediadas na|sediados em|localizadas em|localizadas no|localizadas na|baseadas em|baseadas no|baseadas na',
  from: 'desde|de|do|da|dos|das|a partir de',
  to: 'a|ate',
  on: 'na rede|sobre a rede|construidas em|construidos em|construidas no|construidas na',
  by: 'por|pelo|pela|pelos|pelas',
  and: 'e|junto com',
  or: 'ou',
  excluded: 'a parte|excluido|excluidos|excluida|excluidas',
  not: 'nao|nao em|fora de|fora do|fora da|exceto|salvo|excluindo|sem contar|sem incluir',
  angels: 'investidor anjo|investidores anjo|investidores anjos',
  lacking: 'sem|nenhum|nenhuma|nunca',
  condition: 'hackeado|hackeados|hackeada|hackeadas|auditado|auditados|auditada|auditadas|lucrativas',
  unstated:
    'ticket|ticket medio|cheque|cheques|cheque medio|quem organiza|quem comprou|quem adquiriu|patrocinadores|patrocinadores de|patrocinadores do|patrocinadores da|organizador de|organizador do|organizadores do|organizadores da|receita|receitas|faturamento|lucro|lucros|valor de mercado|preco de|preco do',
  listed:
    'listadas em bolsa|listada em bolsa|listadas na bolsa|na bolsa|em bolsa|abriram capital|abriu capital|abriram o capital|de capital aberto|capital aberto|com capital aberto',
  unrecorded:
    'organizado por|organizados por|organizado pela|organizados pela|organizado pelo|organizados pelo|organizada por|organizadas por|patrocinado por|patrocinados por|auditadas por|auditados por|estudaram no|estudaram na|estudaram em|estudou no|estudou na|formados pela|formados no',
  valued: 'avaliacao|avaliacoes|avaliadas|avaliadas em|unicornios',
  quiet: 'nada desde entao|nada desde|nada depois|nunca mais',
  led: 'lideradas por|liderada por|liderados por|liderado por|lideradas pela|liderada pela|lideradas pelo|liderada pelo|liderou|lideraram|lidera|lideram|lideradas|liderada',
  backed:
    'apoiadas por|apoiados por|apoiada por|apoiadas pela|apoiadas pelo|financiadas por|financiados por|financiada por|financiadas pela|financiadas pelo|investidas por|investidas pela|investidas pelo|no portfolio da|no portfolio de|portfolio da|portfolio de|carteira da|carteira de',
  backs:
    'investidor de|investidor da|investidor do|investidor em|apoiou|apoiaram|apoia|financiou|financiaram|financia|investiu|investiram|investe|investem|investiu em|investiu na|investiu no|investiram em|investiram na|investiram no|investe em|investem em|investem na|investem no|investidores em|investidores de|investidores da|investidores do|participaram da|participou da',
  founds:
    'fundou|fundaram|criou|criaram|fundador de|fundadores de|fundadores da|fundadores do|cofundadores da|fundadas|fundados|fundada|fundado|criadas|criadas em',
  foundedBy:
    'fundada por|fundadas por|fundado por|fundados por|fundada pela|fundada pelo|fundadas pela|fundadas pelo|criada por|criadas por|criado por',
  works:
    'trabalha na|trabalham na|trabalha no|trabalham no|trabalha em|trabalham em|trabalhou na|trabalhou no|funcionarios da|equipe da|equipe do',
  raised:
    'mais captou|mais captaram|mais levantou|mais levantaram|captou|captaram|captado|levantou|levantaram|arrecadou|arrecadaram|receberam|recebeu|conseguiram|obtiveram',
  lastRound: 'cuja ultima rodada|cuja ultima rodada foi|ultima rodada foi',
  held: 'realizados|realizadas|que acontecem|acontecem|que ocorrem',
  upcoming: 'que vem|por vir',
  common: 'comum|comuns|em comum|investidores em comum|compartilham',
  coInvestors:
    'coinvestidor|coinvestidores|co investidores|coinveste com|coinvestem com|investe com|investem com|investiu com|investiram com|investe junto com|investem junto com',
  funding: 'financiamento|captacao|capital',
  speaks: 'fala|falam|falou|palestra em|palestram em|participa do|participam do|participa da|participam da',
  titles:
    'engenheiro|engenheiros|pesquisador|pesquisadores|quem dirige|diretor executivo|diretora executiva|presidente executivo',
  per: 'por|por cada|anual|anualmente|trimestral|mensal',
  connected: 'conectado|conectados|conectadas|conecta|conexao entre|relacao entre|caminho entre',
  versus: 'comparar|compare|comparacao|diferenca|diferenca entre|diferencas entre',
  likeness:
    'similar|similares|parecida|parecidas|parecido|parecidos|semelhante|semelhantes|alternativa|alternativas|concorrente|concorrentes',
  lastUpdated: 'atualizado recentemente|atualizados recentemente|atualizadas recentemente',
  updated: 'atualizado|atualizados|atualizadas',
  employees:
    'numero de funcionarios|numero de funcionarios da|numero de funcionarios do|funcionarios|empregados|colaboradores',
  investments: 'investimentos|investimento',
  over: 'mais de|mais do que|superior a|superiores a|acima de',
  min: 'pelo menos|ao menos|no minimo|minimo',
  under: 'menos de|menos do que|inferior a|inferiores a|abaixo de',
  max: 'no maximo|maximo',
  around: 'cerca de|aproximadamente|em torno de|por volta de|~',
  between: 'entre',
  after: 'depois de|apos|posterior a',
  since: 'desde|desde o|a partir de|a partir do',
  before: 'antes de|antes do|anterior a',
  until: 'ate|ate o|ate o fim de',
  orMore: 'ou mais|em diante|ou posterior',
  orLess: 'ou menos|ou anterior',
  last: 'passado|passada|ultimo|ultima|ultimos|ultimas|anterior',
  this: 'este|esta|neste|nesta|atual|deste|desta',
  next: 'proximo|proxima|proximos|proximas|seguinte|que vem',
  year: 'ano|anos',
  quarter: 'trimestre|trimestres',
  half: 'semestre|semestres',
  month: 'mes|meses',
  week: 'semana|semanas',
  day: 'dia|dias',
  ago: 'ha|atras|ontem|amanha',
  thousand: 'mil',
  million: 'milhao|milhoes|mi|m',
  billion: 'bilhao|bilhoes|mil milhoes|bi',
  currency: 'dolares|dolar|usd',
  months: 'janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro',
  groups:
    'ano,anos,anual,anualmente|trimestre,trimestres,trimestral|mes,meses,mensal|pais,paises|cidade,cidades|estagio,estagios,fase,fases|categoria,categorias,setor,setores,industria|rede,redes|investidor,investidores|investidor principal|empresa,empresas|organizacao,empregador|tipo de evento|tipo de investidor|ano de fundacao|tipo,tipos|situacao',
  numbers: 'um,uma,so,unica|dois,duas|tres|quatro|cinco|seis|sete|oito|nove|dez|onze|doze',
  ordinals: 'primeiro|segundo|terceiro|quarto',
  thirds: 'inicio,comeco|meados|fim,final,fins',
  seasons: 'primavera|verao|outono',
};
